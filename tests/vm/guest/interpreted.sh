# SPDX-License-Identifier: MIT
# Python functions in stacks that this kernel unwinds, on this machine, for record, lock and trace: the frames, their
# order and their lines are those that Python itself reports.
work=$(mktemp -d)
top=$PWD
cd "$work"
perf check -q feature bpf || { echo 'this perf has no BPF programs'; exit 77; }
command -v python3 >/dev/null || { echo 'no python3'; exit 77; }
cp "$top/tests/live/interpreted-load.py" .
python3 interpreted-load.py 40 stacks &
pid=$!
sleep 5
# It takes long here to read the files of the program and to find their rules.
perf record -e cpu-clock:u -F 99 --call-graph bpf -o late.data -p $pid sleep 20 >said 2>&1 || { cat said; exit 1; }
wait $pid
python3 "$top/tests/live/interpreted-python.py" late.data stacks 20 || { cat said; exit 1; }
grep -q 'Python frames in [1-9][0-9.]* % of [1-9][0-9]* stacks' said || { cat said; exit 1; }

python3 interpreted-load.py 1000 stacks &
pid=$!
sleep 5
perf lock contention -v -b --user -Y futex -p $pid sleep 15 >lock.txt 2>&1 || { cat lock.txt; exit 1; }
perf trace --call-graph bpf -e futex -p $pid sleep 15 >trace.txt 2>&1 || { head -n 50 trace.txt; exit 1; }
kill $pid
for f in lock.txt trace.txt; do
	grep -q 'interpreted-load.py:' $f && ! grep -q 'found by frame pointers\|instead of unwound' $f || {
		head -n 50 $f
		echo "$f: no functions of Python"
		exit 1
	}
done
