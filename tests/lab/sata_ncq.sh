# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2034 # for engine.sh
# For cases of the engine sata_ncq.

engine_name=sata_ncq interrupts_of=ahci
names='s#\bsd[a-z]+#sdX#g; s#\bsg[0-9]+#sgX#g; s#\b(nvme|ng)[0-9]+n[0-9]+#\1XnY#g'
# shellcheck source=tests/lab/engine.sh
. "$LAB_TREE/tests/lab/engine.sh"

# Of a disk in user space: what a job came to, and what the disk saw of it, whose
# log begins anew.
saw() { # JOB DISK [sent|errors|queue|priority|trims [FIELD...]]
	python3 "$LAB_TREE/tests/lab/inspect_ata.py" "$@" ||
		fail "$1: $(said "$1")"
	: >"/tmp/$2.ata"
}

# What queue_stats=1 and status_json=NAME say of the job NAME: how many commands were
# with the drive at most, and whether its numbers fit each other.
queue_of() { # NAME
	python3 - "$1" <<'END'
import glob
import json
import sys
for path in sorted(glob.glob(sys.argv[1] + ".*.json")):
    told = json.load(open(path))
    queue = told["queue"]
    deepest = max(n for n, ns in enumerate(queue["ns_at_depth"]) if ns)
    sane = (queue["completed"] == told["commands"] and len(queue["ns_at_depth"]) == 33
            and 0 <= queue["out_of_order"] < queue["completed"])
    print(f"{sys.argv[1]}: {told['commands']} commands, {deepest} at once"
          + ("" if sane else f", NOT SANE: {queue}"))
END
}

# A file with each block's own offset in it, as verify_pattern=%o writes it.
offsets() { # FILE BYTES-OF-A-BLOCK BYTES
	python3 - "$@" <<'END'
import struct
import sys
block, size = int(sys.argv[2]), int(sys.argv[3])
with open(sys.argv[1], "wb") as file:
    for offset in range(0, size, block):
        file.write(struct.pack("<Q", offset) * (min(block, size - offset) // 8))
END
}
