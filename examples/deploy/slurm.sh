#!/bin/bash
# Solves one batch on several nodes of a SLURM cluster; each task is a worker on its cores.
#
#   number=$(bullseye submit puzzles.txt)
#   sbatch --export=ALL,BATCH="$number" slurm.sh
#
# BULLSEYE_DATABASE_URL and BULLSEYE_REDIS_URL name servers that all nodes reach.
#SBATCH --job-name=bullseye
#SBATCH --array=0-7
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --mem-per-cpu=500M
#SBATCH --time=24:00:00
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
set -euo pipefail

bullseye worker --wait -c "${SLURM_CPUS_PER_TASK:-1}" &
worker=$!
bullseye status -w "$BATCH" &
watch=$!
# SLURM sends SIGTERM before it ends the job: the worker gives back its chunks within 15 s.
trap 'kill -TERM "$watch" "$worker"; wait; exit 143' TERM
code=0
wait "$watch" || code=$?
kill -TERM "$worker"
wait "$worker" || true
exit "$code"
