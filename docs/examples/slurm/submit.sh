#!/bin/bash
# Plays a fleet in parts as a Slurm array, and joins their recordings: docs/scale.md, "In Slurm".
#   RUN=/shared/run-1 SCENARIO=day.yaml RECEIVER=http://receiver:8080/events PARTS=8 ./submit.sh
# A task that failed is submitted again, and resumes its part:
#   RUN=/shared/run-1 SCENARIO=… RECEIVER=… PARTS=8 sbatch --array=3 --nodelist=NODE fleet.sbatch
set -eu
: "${RUN:?a new folder on a disk that all nodes share}" "${SCENARIO:?}" "${RECEIVER:?}" "${PARTS:?}"
export RUN SCENARIO RECEIVER PARTS
cd "$(dirname "$0")"
mkdir -p "$RUN"
fleet=$(sbatch --parsable --array="1-$PARTS" --output="$RUN/part-%a.log" fleet.sbatch)
# afterany: the merge names the parts that failed, and waits while they are resumed.
merge=$(sbatch --parsable --dependency="afterany:$fleet" --output="$RUN/merge.log" merge.sbatch)
echo "$fleet $merge"
