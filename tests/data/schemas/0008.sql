BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0008');
CREATE TABLE answer (
	id INTEGER NOT NULL, 
	batch_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	label VARCHAR, 
	kind VARCHAR NOT NULL, 
	size INTEGER, 
	clues INTEGER, 
	puzzle TEXT NOT NULL, 
	status VARCHAR NOT NULL, 
	solutions BIGINT, 
	complete SMALLINT NOT NULL, 
	solution TEXT, 
	score BIGINT, 
	bound BIGINT, 
	nodes BIGINT, 
	ms FLOAT, 
	worker VARCHAR, 
	attempts INTEGER NOT NULL, 
	solved_at VARCHAR NOT NULL, 
	detail TEXT, solutions_text VARCHAR, option_counts TEXT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(batch_id) REFERENCES batch (id)
);
INSERT INTO "answer" VALUES(1,1,1,'easy 1','sudoku',9,34,'...12..6...58.41..4.9.....7.4...8.72..82...19...615.4.9.47.6..1.6..8.7.4732......','solved',1,1,'873129465625874193419563827146398572358247619297615348984736251561982734732451986',NULL,NULL,0,0.016284,'bullseye-16536@vm',1,'2026-11-21T07:11:41.227Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(2,1,2,'easy 2','sudoku',9,34,'6..2....775.16.32..2...81...75...93..9..2......67598....8..2.59...4.7.8.9.75....1','solved',1,1,'681235497759164328423978165175846932894321576236759814348612759512497683967583241',NULL,NULL,0,0.00657,'bullseye-16536@vm',1,'2026-11-21T07:11:41.227Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(3,1,3,'easy 3','sudoku',9,34,'28.....1431..947..74..253..46...31.9...56.....9..1.6...7..518...53...2.....6.8..7','solved',1,1,'285376914316894725749125386462783159138569472597412638674251893853947261921638547',NULL,NULL,0,0.002644,'bullseye-16536@vm',1,'2026-11-21T07:11:41.227Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(4,1,4,'easy 4','sudoku',9,34,'...41...8.......4.194..7.2.2....1.69.....9..5.5..38.1...297..53.8615..7473..2.6..','solved',1,1,'567412938823695147194387526278541369341269785659738412412976853986153274735824691',NULL,NULL,0,0.017516,'bullseye-16536@vm',1,'2026-11-21T07:11:41.218Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(5,1,5,'easy 5','sudoku',9,34,'.41.53.7.239....8.....4..31..5.3....6..42.8....2596.....87..45..57..4.28...98.7..','solved',1,1,'841253976239671584576849231795138642613427895482596317368712459957364128124985763',NULL,NULL,0,0.003425,'bullseye-16536@vm',1,'2026-11-21T07:11:41.218Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(6,1,6,'easy 6','sudoku',9,34,'3..8..569..6.7..8..4.56...24...1...62......4.6..495..81......7..821..69.5.97.32..','solved',1,1,'327841569956372481841569732498217356215638947673495128134926875782154693569783214',NULL,NULL,0,0.002484,'bullseye-16536@vm',1,'2026-11-21T07:11:41.218Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(7,1,7,'fair 1','sudoku',9,24,'............6.1...5.2...8......49....1.2.8.69..8...7.1.34...12......2.9..5...6..4','solved',1,1,'186524937397681452542793816765149283413278569928365741634957128871432695259816374',NULL,NULL,0,0.008973,'bullseye-16536@vm',1,'2026-11-21T07:11:41.241Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(8,1,8,'fair 2','sudoku',9,24,'..........1.247.9..783.....54.....1.7....54..2..1......2....7.8...8..1....5....69','solved',1,1,'952618347316247895478359621543782916761935482289164573124596738697823154835471269',NULL,NULL,0,0.003295,'bullseye-16536@vm',1,'2026-11-21T07:11:41.241Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(9,1,9,'fair 3','sudoku',9,24,'.....19.7.572...4.....9....376.1...95....9.8.8....7.........4.6.4...3......6...2.','solved',1,1,'268451937957236148413798562376814259521369784894527613135982476642173895789645321',NULL,NULL,0,0.003926,'bullseye-16536@vm',1,'2026-11-21T07:11:41.241Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(10,1,10,'fair 4','sudoku',9,24,'...5...4..9...8.2...4...1..18...2....2.45.8...6.........83..9....28.1...35.9.....','solved',1,1,'236519748591748623874236159185692437729453816463187592618325974942871365357964281',NULL,NULL,0,0.018657,'bullseye-16536@vm',1,'2026-11-21T07:11:41.239Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(11,1,11,'fair 5','sudoku',9,24,'..4.2......7.8...16.2....8.8....9......87..3...9..5.......9..1.5.....64.9...1.2.3','solved',1,1,'184723596357986421692451387825369174416872935739145862263594718571238649948617253',NULL,NULL,0,0.003806,'bullseye-16536@vm',1,'2026-11-21T07:11:41.239Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(12,1,12,'hard 1','sudoku',9,25,'5...8..7.7....5.4.....2.38.4........2.86........8.9.6...2.....3.7.9.8.....5.3.9.7','solved',1,1,'524386179783195246619427385496512738258673491137849562942761853371958624865234917',NULL,NULL,0,0.00673,'bullseye-16536@vm',1,'2026-11-21T07:11:41.239Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(13,1,13,'hard 2','sudoku',9,24,'..4.....6...3..95.3..8......1..984.2.....7..12.............5....571....8.8.7.4.9.','solved',1,1,'594271386821346957376859124715698432439527861268413579642985713957132648183764295',NULL,NULL,44,0.038618,'bullseye-16536@vm',1,'2026-11-21T07:11:41.248Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(14,1,14,'hard 3','sudoku',9,25,'...3781.6..15..3....2......7.....8......3..64.14.........94..8......5.....57834..','solved',1,1,'549378126671524398832691745796452831258137964314869257127946583483215679965783412',NULL,NULL,48,0.01404,'bullseye-16536@vm',1,'2026-11-21T07:11:41.248Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(15,1,15,'hard 4','sudoku',9,25,'.9...5.43....6....4......6.....41.7..4...39..73.5.....57.3...1..1.....29....2...5','solved',1,1,'698715243123468597457932168985241376246873951731596482572389614314657829869124735',NULL,NULL,38,0.010877,'bullseye-16536@vm',1,'2026-11-21T07:11:41.248Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(16,1,16,'hard 5','sudoku',9,23,'...1..6.938......5.96....2.7........6.4.85.......23...1..9....6.....45...6....4..','solved',1,1,'257148639381296745496537128738619254624785913519423867145972386872364591963851472',NULL,NULL,0,0.009154,'bullseye-16536@vm',1,'2026-11-21T07:11:41.250Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(17,1,17,'hard 6','sudoku',9,23,'....5..3..9.4......41....27..628..........6.....13..8..6.8..7..4......19..2.4....','solved',1,1,'827651934593427168641398527156289473238574691974136285369815742485762319712943856',NULL,NULL,163,0.048182,'bullseye-16536@vm',1,'2026-11-21T07:11:41.250Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(18,1,18,'several: 9 solutions','sudoku',9,23,'5.....7.....9.4..6..3.8.9..1.......3..7.4....389.5.........5..49..36..2..5.......','solved',2,0,'596231748821974356473586912145798263267143589389652471732815694914367825658429137',NULL,NULL,43,0.012518,'bullseye-16536@vm',1,'2026-11-21T07:11:41.250Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(19,1,19,'none: no solution','sudoku',9,26,'7......5..391....8..1..8.3..13...2475...63....4..........68..7..82..........7.3.2','none',0,1,NULL,NULL,NULL,0,0.011477,'bullseye-16536@vm',1,'2026-11-21T07:11:41.254Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(20,1,20,'none: two 7s meet','sudoku',9,31,'77...45.8......3...49..........9..1...1..78.2..4.12.3..18.4.9.....87926..72..1..3','none',0,1,NULL,NULL,NULL,0,0.001142,'bullseye-16536@vm',1,'2026-11-21T07:11:41.254Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(21,2,1,'best 2848 of 2 completions','target',9,23,'.6.54.........72.47....3.....3.......1..69....4..1....6...7.5.91....26...8......7','solved',NULL,1,'268541793351697284794823156523784961817269435946315872632478519175932648489156327',2848,2848,67,0.034211,'bullseye-16575@vm',1,'2026-11-21T07:11:42.780Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(22,2,2,'best 2849 of 6 completions','target',9,24,'...7.53..........789....61...2..9.36...........623.....7.9.8.2..394...7..8.......','solved',NULL,1,'421765389563891247897342615712589436358614792946237851674958123139426578285173964',2849,2849,221,0.022924,'bullseye-16575@vm',1,'2026-11-21T07:11:42.780Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(23,2,3,'best 2862 of 21 completions','target',9,21,'.........4.5...........9567..9.....8..17........1..2.4.7..86...32....6.1.....3...','solved',NULL,1,'763851429495627183812349567649532718281794356537168294174286935328975641956413872',2862,2862,379,0.072789,'bullseye-16575@vm',1,'2026-11-21T07:11:42.788Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(24,2,4,'best 2868 of 31 completions','target',9,25,'.6.....497...5.3.6...62.....56.4...2.41......8.9.....1..3.........8.4....8459....','solved',NULL,1,'165387249792451386438629715356148972241975638879236451513762894927814563684593127',2868,2868,314,0.040681,'bullseye-16575@vm',1,'2026-11-21T07:11:42.788Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(25,2,5,'best 2874 of 81 completions','target',9,23,'..3.....8.4........2.4....39...4..8.31.2.........5.9.......7.6....9..53..6.5..7.9','solved',NULL,1,'793612458145873296628495173956741382317289645284356917539127864472968531861534729',2874,2874,1271,0.131296,'bullseye-16575@vm',1,'2026-11-21T07:11:42.792Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(26,2,6,'best 2864 of 193 completions','target',9,22,'.....48..4.....1.76..58.2....1.2.......4...1.738......2..7........6.....1.5....2.','solved',NULL,1,'352174896489236157617589234541327968926458713738961542263795481894612375175843629',2864,2864,2161,0.159438,'bullseye-16575@vm',1,'2026-11-21T07:11:42.792Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(27,2,7,'best 2867 of 500 completions','target',9,22,'...5..39..........6.4...2...76.19.8...5.4.6.........7..........1....79.65...2..1.','solved',NULL,1,'721564398958132764634978251376219485815743629249685173467891532182357946593426817',2867,2867,6527,3.49822,'bullseye-16575@vm',1,'2026-11-21T07:11:42.803Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(28,2,8,'best 2878 of 1267 completions','target',9,20,'...7....85......47.3.6........5931...8...7............25..6....6......7......46..','solved',NULL,1,'941732568562918347738645921476593182385127496129486735257369814694851273813274659',2878,2878,13600,1.449243,'bullseye-16575@vm',1,'2026-11-21T07:11:42.803Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(29,2,9,'best 2861 of 2543 completions','target',9,22,'.39...1.76...3..9........62..21...3....8.......859.........2.5..1.3.....5...4....','solved',NULL,1,'839265147621437598745981362492176835356824971178593624984612753217359486563748219',2861,2861,16540,3.550217,'bullseye-16575@vm',1,'2026-11-21T07:11:42.816Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(30,2,10,'best 2880 of 4505 completions','target',9,19,'...3...8.9..............4..6..92.3..3..1.............4...7.49.1.9....2..8..6.....','solved',NULL,1,'742356189953418672168279453684927315379145826215863794526784931497531268831692547',2880,2880,16524,3.33718,'bullseye-16575@vm',1,'2026-11-21T07:11:42.816Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(31,3,1,NULL,'cover',34,NULL,'{"items":12,"secondary":22,"options":[[1,7,13,29],[1,8,14,28],[1,9,15,27],[1,10,16,26],[1,11,17,25],[1,12,18,24],[2,7,14,30],[2,8,15,29],[2,9,16,28],[2,10,17,27],[2,11,18,26],[2,12,19,25],[3,7,15,31],[3,8,16,30],[3,9,17,29],[3,10,18,28],[3,11,19,27],[3,12,20,26],[4,7,16,32],[4,8,17,31],[4,9,18,30],[4,10,19,29],[4,11,20,28],[4,12,21,27],[5,7,17,33],[5,8,18,32],[5,9,19,31],[5,10,20,30],[5,11,21,29],[5,12,22,28],[6,7,18,34],[6,8,19,33],[6,9,20,32],[6,10,21,31],[6,11,22,30],[6,12,23,29]],"names":["r1","r2","r3","r4","r5","r6","c1","c2","c3","c4","c5","c6","a2","a3","a4","a5","a6","a7","a8","a9","a10","a11","a12","b-5","b-4","b-3","b-2","b-1","b0","b1","b2","b3","b4","b5"]}','solved',2,0,'2 10 18 19 27 35',NULL,NULL,44,0.034301,'bullseye-16610@vm',1,'2026-11-21T07:11:44.295Z',NULL,NULL,'[0, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 0]');
INSERT INTO "answer" VALUES(32,4,1,'easy 2','sudoku',9,34,'6..2....775.16.32..2...81...75...93..9..2......67598....8..2.59...4.7.8.9.75....1','solved',1,1,'681235497759164328423978165175846932894321576236759814348612759512497683967583241',NULL,NULL,0,0.02049,'bullseye-16640@vm',1,'2026-11-21T07:11:45.771Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(33,4,2,'easy 3','sudoku',9,34,'28.....1431..947..74..253..46...31.9...56.....9..1.6...7..518...53...2.....6.8..7','solved',1,1,'285376914316894725749125386462783159138569472597412638674251893853947261921638547',NULL,NULL,0,0.017076,'bullseye-16640@vm',1,'2026-11-21T07:11:45.785Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(34,4,3,'easy 4','sudoku',9,34,'...41...8.......4.194..7.2.2....1.69.....9..5.5..38.1...297..53.8615..7473..2.6..','solved',1,1,'567412938823695147194387526278541369341269785659738412412976853986153274735824691',NULL,NULL,0,0.0069,'bullseye-16640@vm',1,'2026-11-21T07:11:45.793Z',NULL,NULL,NULL);
INSERT INTO "answer" VALUES(35,4,4,NULL,'sudoku',NULL,NULL,'no puzzle at all','invalid',NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,0,'2026-11-21T07:11:44.619Z','no grid of 81 cells here; put # before a comment',NULL,NULL);
INSERT INTO "answer" VALUES(36,4,5,NULL,'sudoku',9,0,'.................................................................................','timeout',90886,0,'123456789987123456456789123315268974794315862268974531541832697872691345639547218',NULL,NULL,991302,50.010379,'bullseye-16640@vm',1,'2026-11-21T07:11:45.844Z',NULL,NULL,NULL);
CREATE TABLE batch (
	id INTEGER NOT NULL, 
	name VARCHAR, 
	source VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	options TEXT NOT NULL, 
	puzzles INTEGER NOT NULL, 
	first_id INTEGER NOT NULL, 
	queue VARCHAR NOT NULL, 
	ready SMALLINT NOT NULL, 
	created_at VARCHAR NOT NULL, 
	cancelled_at VARCHAR, priority VARCHAR DEFAULT 'normal' NOT NULL, served BIGINT DEFAULT '0' NOT NULL, active SMALLINT DEFAULT '1' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "batch" VALUES(1,'sudoku','examples/sudoku.txt','sudoku','{"limit": 2, "target": false, "weights": null, "every": false, "keep": 3, "timeout": 30.0, "inputs": [{"name": "examples/sudoku.txt", "first": 1, "count": 20, "layout": {"format": "lines", "kind": "sudoku", "size": 9, "alphabet": ".123456789", "shape": "lines", "counted": false, "ended": false, "apart": false, "banded": false, "ruled": false}}]}',20,1,'solve-f10111d43261257d',1,'2026-11-21T07:11:39.875Z',NULL,'normal',0,1);
INSERT INTO "batch" VALUES(2,'target','examples/target.txt','target','{"limit": 2, "target": true, "weights": null, "every": false, "keep": 2, "timeout": 30.0, "inputs": [{"name": "examples/target.txt", "first": 1, "count": 10, "layout": {"format": "lines", "kind": "sudoku", "size": 9, "alphabet": ".123456789", "shape": "lines", "counted": false, "ended": false, "apart": false, "banded": false, "ruled": false}}]}',10,21,'solve-7b28c25becd5df5d',1,'2026-11-21T07:11:41.681Z',NULL,'normal',0,1);
INSERT INTO "batch" VALUES(3,NULL,'examples/queens.dlx','cover','{"limit": 2, "target": false, "weights": null, "every": false, "keep": 1, "timeout": 30.0, "inputs": [{"name": "examples/queens.dlx", "first": 1, "count": 1, "layout": {"format": "dlx", "kind": "cover", "size": null, "alphabet": null, "shape": null, "counted": false, "ended": false, "apart": false, "banded": false, "ruled": false}}]}',1,31,'solve-d48451cb531ee432',1,'2026-11-21T07:11:43.201Z',NULL,'normal',0,1);
INSERT INTO "batch" VALUES(4,NULL,'bad.txt, argument','sudoku','{"limit": null, "target": false, "weights": null, "every": false, "keep": 1, "timeout": 0.05, "inputs": [{"name": "bad.txt", "first": 1, "count": 4, "layout": {"format": "lines", "kind": "sudoku", "size": 9, "alphabet": ".123456789", "shape": "lines", "counted": false, "ended": false, "apart": false, "banded": false, "ruled": false}}, {"name": "argument", "first": 5, "count": 1, "layout": {"format": "lines", "kind": "sudoku", "size": 9, "alphabet": ".123456789", "shape": "lines", "counted": false, "ended": false, "apart": false, "banded": false, "ruled": false}}]}',5,32,'solve-4ee1fd81eb8aef72',1,'2026-11-21T07:11:44.616Z',NULL,'normal',0,1);
INSERT INTO "batch" VALUES(5,'waiting','examples/sudoku.txt','sudoku','{"limit": 2, "target": false, "weights": null, "every": false, "keep": 1, "timeout": 30.0, "inputs": [{"name": "examples/sudoku.txt", "first": 1, "count": 20, "layout": {"format": "lines", "kind": "sudoku", "size": 9, "alphabet": ".123456789", "shape": "lines", "counted": false, "ended": false, "apart": false, "banded": false, "ruled": false}}]}',20,37,'bullseye-cd05f09ee4e9a7bd',1,'2026-11-21T07:11:46.293Z',NULL,'normal',0,1);
INSERT INTO "batch" VALUES(6,'cancelled','examples/16x16.txt','sudoku','{"limit": 2, "target": false, "weights": null, "every": false, "keep": 1, "timeout": 1.0, "inputs": [{"name": "examples/16x16.txt", "first": 1, "count": 5, "layout": {"format": "letters", "kind": "sudoku", "size": 16, "alphabet": "-ABCDEFGHIJKLMNOP", "shape": "rows", "counted": false, "ended": false, "apart": true, "banded": false, "ruled": false}}]}',5,57,'bullseye-cd05f09ee4e9a7bd',1,'2026-11-21T07:11:46.706Z','2026-11-21T07:11:46.982Z','normal',0,1);
INSERT INTO "batch" VALUES(7,'divided','queens.txt','cover','{"limit": null, "keep": 1, "timeout": 3600.0}',1,1000,'bullseye-cd05f09ee4e9a7bd',1,'2026-11-22T10:00:00.000Z','2026-11-22T10:01:00.000Z','normal',0,1);
CREATE TABLE candidate (
	id INTEGER NOT NULL, 
	search_id INTEGER NOT NULL, 
	score BIGINT, 
	path BLOB NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(search_id) REFERENCES search (id)
);
CREATE TABLE chunk (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	batch_id INTEGER NOT NULL, 
	count INTEGER NOT NULL, 
	answered INTEGER NOT NULL, 
	bytes INTEGER NOT NULL, 
	state VARCHAR NOT NULL, 
	sent_at VARCHAR, 
	taken_at VARCHAR, 
	attempts INTEGER NOT NULL, 
	done_at VARCHAR, 
	worker VARCHAR, 
	begun INTEGER, 
	suspect INTEGER, 
	kind VARCHAR DEFAULT '' NOT NULL, digest VARCHAR DEFAULT '' NOT NULL, cost SMALLINT DEFAULT '8' NOT NULL, 
	FOREIGN KEY(batch_id) REFERENCES batch (id)
);
INSERT INTO "chunk" VALUES(1,1,3,3,298,'done','2026-11-21T07:11:41.120Z','2026-11-21T07:11:41.213Z',1,'2026-11-21T07:11:41.226Z','bullseye-16536@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(2,1,3,3,298,'done','2026-11-21T07:11:41.120Z','2026-11-21T07:11:41.204Z',1,'2026-11-21T07:11:41.217Z','bullseye-16536@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(3,1,3,3,298,'done','2026-11-21T07:11:41.121Z','2026-11-21T07:11:41.238Z',1,'2026-11-21T07:11:41.241Z','bullseye-16536@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(4,1,3,3,304,'done','2026-11-21T07:11:41.121Z','2026-11-21T07:11:41.235Z',1,'2026-11-21T07:11:41.239Z','bullseye-16536@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(5,1,3,3,304,'done','2026-11-21T07:11:41.121Z','2026-11-21T07:11:41.245Z',1,'2026-11-21T07:11:41.248Z','bullseye-16536@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(6,1,3,3,318,'done','2026-11-21T07:11:41.121Z','2026-11-21T07:11:41.246Z',1,'2026-11-21T07:11:41.249Z','bullseye-16536@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(7,1,2,2,225,'done','2026-11-21T07:11:41.122Z','2026-11-21T07:11:41.252Z',1,'2026-11-21T07:11:41.254Z','bullseye-16536@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(8,2,2,2,241,'done','2026-11-21T07:11:42.682Z','2026-11-21T07:11:42.765Z',1,'2026-11-21T07:11:42.779Z','bullseye-16575@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(9,2,2,2,243,'done','2026-11-21T07:11:42.683Z','2026-11-21T07:11:42.775Z',1,'2026-11-21T07:11:42.788Z','bullseye-16575@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(10,2,2,2,244,'done','2026-11-21T07:11:42.683Z','2026-11-21T07:11:42.790Z',1,'2026-11-21T07:11:42.792Z','bullseye-16575@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(11,2,2,2,246,'done','2026-11-21T07:11:42.683Z','2026-11-21T07:11:42.796Z',1,'2026-11-21T07:11:42.803Z','bullseye-16575@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(12,2,2,2,248,'done','2026-11-21T07:11:42.684Z','2026-11-21T07:11:42.806Z',1,'2026-11-21T07:11:42.816Z','bullseye-16575@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(13,3,1,1,769,'done','2026-11-21T07:11:44.249Z','2026-11-21T07:11:44.290Z',1,'2026-11-21T07:11:44.294Z','bullseye-16610@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(14,4,1,1,101,'done','2026-11-21T07:11:45.687Z','2026-11-21T07:11:45.763Z',1,'2026-11-21T07:11:45.770Z','bullseye-16640@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(15,4,1,1,101,'done','2026-11-21T07:11:45.688Z','2026-11-21T07:11:45.777Z',1,'2026-11-21T07:11:45.784Z','bullseye-16640@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(16,4,1,1,101,'done','2026-11-21T07:11:45.688Z','2026-11-21T07:11:45.781Z',1,'2026-11-21T07:11:45.793Z','bullseye-16640@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(17,4,1,1,97,'done','2026-11-21T07:11:45.688Z','2026-11-21T07:11:45.791Z',1,'2026-11-21T07:11:45.843Z','bullseye-16640@vm',NULL,NULL,'','',8);
INSERT INTO "chunk" VALUES(18,5,3,0,301,'sent','2026-11-21T07:11:46.299Z',NULL,0,NULL,NULL,NULL,NULL,'sudoku','5537b7b1fea5d0e447dc004fd7b41c3f',8);
INSERT INTO "chunk" VALUES(19,5,3,0,301,'sent','2026-11-21T07:11:46.300Z',NULL,0,NULL,NULL,NULL,NULL,'sudoku','4fea3fc58c624ed6d624ee2daa279ca3',8);
INSERT INTO "chunk" VALUES(20,5,3,0,301,'sent','2026-11-21T07:11:46.300Z',NULL,0,NULL,NULL,NULL,NULL,'sudoku','44cbeeb3a7ea578617aee17ac48cd68b',8);
INSERT INTO "chunk" VALUES(21,5,3,0,304,'sent','2026-11-21T07:11:46.300Z',NULL,0,NULL,NULL,NULL,NULL,'sudoku','987973ee0de4fc53b56942c0bd849f5b',8);
INSERT INTO "chunk" VALUES(22,5,3,0,304,'sent','2026-11-21T07:11:46.300Z',NULL,0,NULL,NULL,NULL,NULL,'sudoku','ed743b8370e5a06085a168ea02d77993',8);
INSERT INTO "chunk" VALUES(23,5,3,0,318,'sent','2026-11-21T07:11:46.301Z',NULL,0,NULL,NULL,NULL,NULL,'sudoku','1e578f56fe1f81240e4f4220ca019b92',8);
INSERT INTO "chunk" VALUES(24,5,2,0,225,'sent','2026-11-21T07:11:46.301Z',NULL,0,NULL,NULL,NULL,NULL,'sudoku','7b5b749405e483c85163cfbc6b700bb1',8);
INSERT INTO "chunk" VALUES(25,6,1,0,272,'sent','2026-11-21T07:11:46.713Z',NULL,0,NULL,NULL,NULL,NULL,'sudoku','795f4e44d2c6a3338ddb4ec1a0759817',8);
INSERT INTO "chunk" VALUES(26,6,1,0,272,'sent','2026-11-21T07:11:46.713Z',NULL,0,NULL,NULL,NULL,NULL,'sudoku','830303c4f5c02d36aedad1be16073572',8);
INSERT INTO "chunk" VALUES(27,6,1,0,272,'sent','2026-11-21T07:11:46.713Z',NULL,0,NULL,NULL,NULL,NULL,'sudoku','39b36d22a0b9efdc166ab42feec59259',8);
INSERT INTO "chunk" VALUES(28,6,1,0,272,'sent','2026-11-21T07:11:46.713Z',NULL,0,NULL,NULL,NULL,NULL,'sudoku','c60bb8cd45e251697516bca58a930e7c',8);
INSERT INTO "chunk" VALUES(29,6,1,0,272,'sent','2026-11-21T07:11:46.714Z',NULL,0,NULL,NULL,NULL,NULL,'sudoku','d6ff262949b4a5ffed2de96c2a54d543',8);
INSERT INTO "chunk" VALUES(30,7,0,0,40,'done',NULL,NULL,1,'2026-11-22T10:00:05.000Z','ada',NULL,NULL,'cover','',8);
INSERT INTO "chunk" VALUES(31,7,0,0,36,'new',NULL,NULL,0,NULL,NULL,NULL,NULL,'cover','a1468e785bcb4b6deff884b183500ed3',8);
CREATE TABLE meta (
	"key" VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "meta" VALUES('id','cd05f09ee4e9a7bd');
INSERT INTO "meta" VALUES('puzzles','1000');
INSERT INTO "meta" VALUES('batches','7');
CREATE TABLE part (
	chunk_id INTEGER NOT NULL, 
	search_id INTEGER NOT NULL, 
	share FLOAT NOT NULL, 
	bound BIGINT, 
	turns INTEGER NOT NULL, 
	solutions VARCHAR NOT NULL, 
	nodes BIGINT NOT NULL, 
	ns BIGINT NOT NULL, 
	ended_at VARCHAR, 
	detail TEXT, 
	PRIMARY KEY (chunk_id), 
	FOREIGN KEY(chunk_id) REFERENCES chunk (id), 
	FOREIGN KEY(search_id) REFERENCES search (id)
);
INSERT INTO "part" VALUES(30,1000,0.0,NULL,1,'9223372036854775807',10,1000000,'2026-11-22T10:00:05.000Z',NULL);
INSERT INTO "part" VALUES(31,1000,0.5,NULL,0,'0',0,0,NULL,NULL);
CREATE TABLE payload (
	chunk_id INTEGER NOT NULL, 
	puzzles TEXT NOT NULL, 
	PRIMARY KEY (chunk_id), 
	FOREIGN KEY(chunk_id) REFERENCES chunk (id)
);
INSERT INTO "payload" VALUES(18,'[[37,1,"easy 1","...12..6...58.41..4.9.....7.4...8.72..82...19...615.4.9.47.6..1.6..8.7.4732......"],[38,2,"easy 2","6..2....775.16.32..2...81...75...93..9..2......67598....8..2.59...4.7.8.9.75....1"],[39,3,"easy 3","28.....1431..947..74..253..46...31.9...56.....9..1.6...7..518...53...2.....6.8..7"]]');
INSERT INTO "payload" VALUES(19,'[[40,4,"easy 4","...41...8.......4.194..7.2.2....1.69.....9..5.5..38.1...297..53.8615..7473..2.6.."],[41,5,"easy 5",".41.53.7.239....8.....4..31..5.3....6..42.8....2596.....87..45..57..4.28...98.7.."],[42,6,"easy 6","3..8..569..6.7..8..4.56...24...1...62......4.6..495..81......7..821..69.5.97.32.."]]');
INSERT INTO "payload" VALUES(20,'[[43,7,"fair 1","............6.1...5.2...8......49....1.2.8.69..8...7.1.34...12......2.9..5...6..4"],[44,8,"fair 2","..........1.247.9..783.....54.....1.7....54..2..1......2....7.8...8..1....5....69"],[45,9,"fair 3",".....19.7.572...4.....9....376.1...95....9.8.8....7.........4.6.4...3......6...2."]]');
INSERT INTO "payload" VALUES(21,'[[46,10,"fair 4","...5...4..9...8.2...4...1..18...2....2.45.8...6.........83..9....28.1...35.9....."],[47,11,"fair 5","..4.2......7.8...16.2....8.8....9......87..3...9..5.......9..1.5.....64.9...1.2.3"],[48,12,"hard 1","5...8..7.7....5.4.....2.38.4........2.86........8.9.6...2.....3.7.9.8.....5.3.9.7"]]');
INSERT INTO "payload" VALUES(22,'[[49,13,"hard 2","..4.....6...3..95.3..8......1..984.2.....7..12.............5....571....8.8.7.4.9."],[50,14,"hard 3","...3781.6..15..3....2......7.....8......3..64.14.........94..8......5.....57834.."],[51,15,"hard 4",".9...5.43....6....4......6.....41.7..4...39..73.5.....57.3...1..1.....29....2...5"]]');
INSERT INTO "payload" VALUES(23,'[[52,16,"hard 5","...1..6.938......5.96....2.7........6.4.85.......23...1..9....6.....45...6....4.."],[53,17,"hard 6","....5..3..9.4......41....27..628..........6.....13..8..6.8..7..4......19..2.4...."],[54,18,"several: 9 solutions","5.....7.....9.4..6..3.8.9..1.......3..7.4....389.5.........5..49..36..2..5......."]]');
INSERT INTO "payload" VALUES(24,'[[55,19,"none: no solution","7......5..391....8..1..8.3..13...2475...63....4..........68..7..82..........7.3.2"],[56,20,"none: two 7s meet","77...45.8......3...49..........9..1...1..78.2..4.12.3..18.4.9.....87926..72..1..3"]]');
INSERT INTO "payload" VALUES(25,'[[57,1,null,".6...2.9...F....B8.2A....1..G..D3A.5...D8..B67C1.GDE..C1A45.8.B96..1.9.B7.D..4A385B9E4A32C..7DGFG...216CE3.A.9.BAE34.DG...9....C...BD3E.96.21F7G.96.4B5.1.F7.3E.E.A31...48..9C26..G...26DA3E4B.8...8..DEB26...1..B.6.84..7G1...E1C.GB69.FE.D3..5DF.A.G1735.4..9."]]');
INSERT INTO "payload" VALUES(26,'[[58,2,null,"ABE56.....4.9..29D2.A5....3.C.4.638.CF.12G.....E..1..G.2E5...73.3.F.419..2A.B..7.67E..C.G.9....5DA.2BE....C3...G49..D2..7.......7..3..19A.2.5B..5E6.7....41F.D.AG2..5BE6..87F.1.F.....2....5738C1GD92.5.36..8CF42.B.E.734..8.9G.E...8.F..9.1.A..8F.C1..D...2E.7."]]');
INSERT INTO "payload" VALUES(27,'[[59,3,null,"5C....3D....8.7.624GF.5.7.8...D....8G26....A......D.8..7.5.C..4.G9E.4.F2A.D.B...15CBD...2..679....A..9..C.B..6..F624B.1........8......A1..94...E2.G.....8.3.5D1..78..42G1...6...A..5.7E8FC6..4...1..A.73...F..9.4.9...B..7A.C.5..83.EG..5.C..F..B.62.1...4E.A8.."]]');
INSERT INTO "payload" VALUES(28,'[[60,4,null,"....D.E.6.4..8..G..8........E.1....C.9.2..3.47.FF46.G.3.1..C.29A5F..E8.......B23....5..92...D6C.4...32.B.E....7..A....D67.F9G.8....G9.7F5.2...E6..ED.5...18......74....G.6...A...25.6.C......G3...F5..1ED...........8..3.C....F2C.......A.B3...78.A...6.F29.1E.."]]');
INSERT INTO "payload" VALUES(29,'[[61,5,null,"...F.C...1AG3..6...5.1.G6...F4.......E..2.F...9.ED....2B..59.1.7.......4.G7.6....C....A.3B2..9..D..6.B.EF...7G.5.4.....CA...2.E.6..E.2B398........G1..D...4..8F....4C8...7.5.....F..1...D..A...B5...DA1.E3.6..2.3...9F.2..G8.A.1.7.D.3.6......8...4.G....A.....E"]]');
INSERT INTO "payload" VALUES(31,'{"search":1000,"levels":"[[1,2,3]]"}');
CREATE TABLE search (
	id INTEGER NOT NULL, 
	batch_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	label VARCHAR, 
	kind VARCHAR NOT NULL, 
	size INTEGER, 
	clues INTEGER, 
	puzzle TEXT NOT NULL, 
	setup TEXT NOT NULL, 
	estimate TEXT, 
	began_at VARCHAR NOT NULL, 
	worked_at VARCHAR NOT NULL, 
	elapsed FLOAT NOT NULL, 
	parts INTEGER NOT NULL, 
	open INTEGER NOT NULL, 
	share FLOAT NOT NULL, 
	progress FLOAT NOT NULL, 
	solutions VARCHAR NOT NULL, 
	nodes BIGINT NOT NULL, 
	ns BIGINT NOT NULL, 
	bound BIGINT, 
	first_solutions VARCHAR NOT NULL, 
	first_nodes BIGINT NOT NULL, 
	ended_at VARCHAR, 
	PRIMARY KEY (id), 
	FOREIGN KEY(batch_id) REFERENCES batch (id)
);
INSERT INTO "search" VALUES(1000,7,1,NULL,'cover',4,NULL,'{"items":4,"secondary":0,"options":[[1,2],[3,4],[1,3],[2,4]]}','',NULL,'2026-11-22T10:00:00.000Z','2026-11-22T10:00:05.000Z',5.0,2,1,0.5,0.5,'9223372036854775808',20,3000000,NULL,'1',10,NULL);
CREATE TABLE search_worker (
	search_id INTEGER NOT NULL, 
	worker VARCHAR NOT NULL, 
	turns INTEGER NOT NULL, 
	nodes BIGINT NOT NULL, 
	PRIMARY KEY (search_id, worker), 
	FOREIGN KEY(search_id) REFERENCES search (id)
);
INSERT INTO "search_worker" VALUES(1000,'ada',2,20);
CREATE TABLE solution (
	answer_id INTEGER NOT NULL, 
	rank INTEGER NOT NULL, 
	score BIGINT, 
	text TEXT NOT NULL, 
	PRIMARY KEY (answer_id, rank), 
	FOREIGN KEY(answer_id) REFERENCES answer (id)
);
INSERT INTO "solution" VALUES(18,2,NULL,'596231748821974356473586912145698273267143589389752461732815694914367825658429137');
INSERT INTO "solution" VALUES(21,2,2844,'268541973351897264794623851523784196817269435946315782632478519175932648489156327');
INSERT INTO "solution" VALUES(22,2,2841,'461795382523816497897324615742589136318647259956231748174968523639452871285173964');
INSERT INTO "solution" VALUES(23,2,2862,'763521489495867123812349567549632718281794356637158294174286935328975641956413872');
INSERT INTO "solution" VALUES(24,2,2867,'165387249792451386438629715356148972241976538879235461913762854527814693684593127');
INSERT INTO "solution" VALUES(25,2,2872,'793615248645832197128479653952741386316298475487356921539127864871964532264583719');
INSERT INTO "solution" VALUES(26,2,2864,'352174896489236157617589234541327968926458713738961542264795381893612475175843629');
INSERT INTO "solution" VALUES(27,2,2864,'781562394952134867634978251376219485815743629249685173467891532128357946593426718');
INSERT INTO "solution" VALUES(28,2,2874,'941732568562918347738645921476593182389127456125486739257369814694851273813274695');
INSERT INTO "solution" VALUES(29,2,2861,'839265147621437598745981362492176835356824971178593624987612453214359786563748219');
INSERT INTO "solution" VALUES(30,2,2880,'742351689953468172168279453684927315379145826215836794526784931497513268831692547');
CREATE INDEX batch_in_turn ON batch (queue, served, id) WHERE active = 1;
CREATE INDEX chunk_of_batch ON chunk (batch_id, state);
CREATE INDEX chunk_by_sending ON chunk (sent_at);
CREATE INDEX chunk_under_way ON chunk (batch_id) WHERE state IN ('sent', 'taken');
CREATE INDEX chunk_new ON chunk (state, batch_id, id, count, bytes, cost) WHERE state = 'new';
CREATE INDEX chunk_new_parts ON chunk (batch_id, state, count) WHERE state = 'new' AND count = 0;
CREATE INDEX search_open ON search (batch_id) WHERE ended_at IS NULL;
CREATE INDEX part_open ON part (search_id, bound) WHERE ended_at IS NULL;
CREATE INDEX candidate_of_search ON candidate (search_id, score);
CREATE VIEW answers AS SELECT answer.id, answer.batch_id AS batch, answer.position, answer.label, answer.kind, answer.size, answer.clues, answer.puzzle, answer.status, answer.solutions, answer.complete, answer.solution, answer.score, answer.bound, answer.nodes, answer.ms, answer.worker, answer.attempts, answer.solved_at, answer.detail, batch.name AS batch_name, answer.solutions_text, answer.option_counts FROM answer LEFT JOIN batch ON batch.id = answer.batch_id;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('chunk',31);
COMMIT;
