#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf report --html` with recordings made here: the page has the samples of the report, listings whose
# instructions have them too, hostile names only as text, and the right size; a cut file has a page that says so.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

"${CC:-cc}" -g -O1 -D_GNU_SOURCE -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o load \
	"$top/tests/live/report-load.c" || { echo 'no C compiler'; exit 77; }
perf record -q -o p.data -e cpu-clock:u -F 4000 -g ./load 20000000 || { echo 'cannot record here'; exit 77; }

# equals FILE OPTION...: checks that its page has the counts of its report. Inlined functions have no rows of their own.
equals() {
	file=$1
	shift
	perf report -q -i "$file" "$@" --no-inline --html=page.html || fail "$file: no page"
	perf report -q -i "$file" "$@" --no-inline --json --no-children -g none -n -s comm,dso,sym >report.json \
		2>/dev/null
	"$top/tests/page.py" page.html equals report.json >differences || fail "$file: the page cannot be read"
	[ ! -s differences ] || fail "$file $*: $(head -3 differences)"
}

equals p.data
# For a single command, or a single function, the report leaves out the column.
equals p.data -c helper,nobody
equals p.data -S heavy,light
equals p.data --time 10%-50%
perf record -q -o two.data -e cpu-clock:u -e page-faults -c 10 ./load 2000000 2>/dev/null && equals two.data

# Without -a no CPU is recorded, and none is shown.
"$top/tests/page.py" page.html facts | tr -d ' \n' | grep -q '"cpus":\[\]' || fail 'CPUs that nobody recorded'

# A stream, and samples without times.
perf record -q -o - -e cpu-clock:u -g ./load 2000000 >stream.data && equals stream.data
perf record -q -o untimed.data --no-timestamp -e cpu-clock:u ./load 2000000 2>/dev/null && {
	equals untimed.data
	"$top/tests/page.py" page.html facts | grep -q 'samples have no times' || fail 'nothing tells of missing times'
}

# Instructions: where there is a disassembler, the hottest function has a listing, with its source and its samples.
perf report -q -i p.data --html=page.html
"$top/tests/page.py" page.html code >code || fail 'the listings cannot be read'
if grep -q '"a":' code; then
	grep -q '"f": "report-load.c"' code || fail 'no source in the listings'
	python3 - "$top/tests" <<-'END' || fail 'samples of heavy() without an instruction'
		import sys
		sys.path.insert(0, sys.argv[1])
		from page import Page
		page = Page(open("page.html", encoding="utf-8").read())
		nodes = page.nodes()
		cells = [c for c in page.cells() if nodes[c.node][1] == "heavy"]
		listed = [row for f in page.functions for row in f["rows"] if "a" in row]
		assert cells and all(0 < c.place <= len(listed) for c in cells)
	END
fi

# Names are text, whatever they contain; the page loads nothing.
cp load '<!--<b>&"x' && perf record -q -o hostile.data -e cpu-clock:u ./'<!--<b>&"x' 2000000
equals hostile.data
python3 - "$top/tests" <<-'END' || fail 'the page of a hostile name'
	import base64, hashlib, sys
	sys.path.insert(0, sys.argv[1])
	from page import Page
	page = Page(open("page.html", encoding="utf-8").read())
	assert '<!--<b>&"x' in (t["comm"] for t in page.facts["tasks"]), page.facts["tasks"]
	assert not page.blocks.loads, page.blocks.loads
	policy = page.blocks.meta["Content-Security-Policy"]
	for block in ("script", "style"):
	    digest = base64.b64encode(hashlib.sha256(page.blocks.texts[block].encode()).digest()).decode()
	    assert f"{block}-src 'sha256-{digest}'" in policy, block
	assert "default-src 'none'" in policy
END

# A cut file is shown up to the cut, and the page says so.
word() { od -A n -t u8 -j "$1" -N 8 p.data | tr -d ' '; }
head -c $(($(word 40) + $(word 48) * 2 / 3)) p.data >cut.data
perf report -q -i cut.data --html=cut.html 2>/dev/null && fail 'a page of a cut file passes for one of all'
[ -s cut.html ] || fail 'no page of a cut file'
"$top/tests/page.py" cut.html facts | grep -q '"level": "warning"' || fail 'the page of a cut file does not say so'
: >empty.data
perf report -q -i empty.data --html=none.html 2>message && fail 'a page of an empty file'
grep -q empty.data message || fail "an empty file: $(cat message)"
[ ! -e none.html ] || fail 'a file for no page'

# If the output cannot be written, a message says so and no file is left.
perf report -q -i p.data --html=/nowhere/page.html 2>message && fail 'wrote to nowhere'
grep -q '/nowhere' message || fail "$(cat message)"
perf report -q -i p.data --html >/dev/full 2>message && fail 'wrote to a full device'
exit $failed
