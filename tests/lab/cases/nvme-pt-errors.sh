# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme-error nvme-slow
# timeout: 400
# expect-log: timeout
# Errors of the device: their words, their counts, what is tried again, timeouts.
. "$LAB_TREE/tests/lab/nvme_pt.sh"
block=$(namespace LABNVMEERR 1)
char=$(generic "$block")
around=(--bs=16k --iodepth=4 --size=128k)

for way in "$char" "$char --transport=ioctl" "$block"; do
	echo "--- $way" | anonymous
	# shellcheck disable=SC2086 # words are what is wanted
	set -- $way
	bad read "$@" --rw=read --bs=16k --size=16k --offset=32M
	told read
	# fio goes on after EIO and EILSEQ, unless told of others: ENODATA is 61.
	good counted "$@" --rw=read "${around[@]}" --offset=32704k \
		--continue_on_error=read --ignore_error=61 --status_json=counted
	told counted
	statuses counted
	bad write "$@" --rw=write --bs=16k --size=64k --offset=102400k
	told write
	rm -f ./*.json
done

# The first fault ends a job, the second one is tried again, a third is not there.
echo "--- once"
for once in read=112M write=116M; do
	job=(--rw="${once%=*}" --bs=16k --size=16k --offset="${once#*=}")
	name=once-${once%=*}
	bad "$name-fails" "$char" "${job[@]}"
	told "$name-fails"
	good "$name" "$char" "${job[@]}" --retries=2 --status_json="$name"
	told "$name"
	statuses "$name"
	good "$name-over" "$char" "${job[@]}" --status_json="$name-over"
	statuses "$name-over"
done
syncing=(--rw=write --bs=16k --size=64k --fsync=2)
bad flush "$char" "${syncing[@]}"
told flush
good flush-again "$char" "${syncing[@]}" --retries=1 --status_json=flush-again
statuses flush-again
# Each command has attempts of its own, also after one that was tried again.
good twice "$char" --rw=read --bs=64k --size=2M --offset=120M --retries=1 \
	--status_json=twice
statuses twice

echo "--- by the network"
fio --server=127.0.0.1,8765 >server.log 2>&1 &
wait_for 10 grep ':223D .* 0A ' /proc/net/tcp || fail "no server: $(cat server.log)"
cat >remote.fio <<END
[remote]
ioengine=$engine
filename=$char
rw=read
bs=16k
offset=32M
size=16k
END
code=0
fio --client=127.0.0.1,8765 remote.fio >remote.txt 2>&1 || code=$?
[ "$code" -eq 1 ] || fail "the client ends with status $code: $(cat remote.txt)"
sed 's/^<[^>]*> //' remote.txt >remote.log
told remote
kill "$!"

echo "--- no answer"
slow=$(generic "$(namespace LABNVMESLOW 1)")
bad timeout "$slow" --rw=randread --bs=4k --size=16M --iodepth=2 \
	--cmd_timeout=500 --runtime=20 | sed 's/[0-9]* reads/some reads/'
told timeout | sed -nE 's/.*read at offset [0-9]+, 4096 bytes: //p' | sort -u
