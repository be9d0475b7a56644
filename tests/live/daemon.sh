#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of perf daemon: sessions run, answer, follow the configuration, restart after a failure and end with the daemon,
# however that ends; old recordings are removed; after a full disk, work goes on.
# shellcheck source=tests/live/waiting
. "$TOP/tests/live/waiting"
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
failed=0
finish() {
	for base in base full deep; do
		perf daemon stop --base "$work/$base" >/dev/null 2>&1
	done
	perf daemon stop --base "$long" >/dev/null 2>&1
	umount "$work/full" 2>/dev/null
	rm -rf "$work"
}
long=$work
trap finish EXIT
mkdir base

fail() {
	echo "FAILED: $*"
	failed=1
}

daemon() {
	perf daemon "$@" --config config
}

# says PATTERN FILE
says() {
	grep -qE -- "$1" "$2" || { fail "not said: '$1', but:"; cat "$2"; }
}

pid_of() {
	daemon -x: | awk -F: -v name="$1" '$2 == name { print $1 }'
}

answers() {
	[ "$(daemon ping --session "$1" 2>&1)" = "OK   $1" ]
}

is_gone() {
	! kill -0 "$1" 2>/dev/null || grep -q '^State:.*Z' "/proc/$1/status"
}

is_logged() {
	grep -qE -- "$1" base/output
}

cat >config <<END
[daemon]
base = $work/base
[session-one]
run = -e cpu-clock --switch-output sleep 1000
[session-bad]
run = -e cpu-clock -o /no/such/folder/data true
END

# There is no daemon.
daemon >out 2>err && fail "a status without a daemon"
says "^failed: no perf daemon runs on $work/base" err

# Two daemons cannot share one base.
daemon start || fail "start"
until_true answers one
daemon start 2>err && fail "two daemons on one base"
says "^failed: another perf daemon \(pid $(pid_of daemon)\) owns $work/base" err
[ "$(wc -l <err)" = 1 ] || fail "more than a line about two daemons"
[ "$(stat -c %a base/control)" = 600 ] || fail "the socket is open to others"

# The failure of a session is logged. The session restarts after growing pauses.
until_true is_logged "session 'bad' restarts in 2 s"
daemon >out
says '^\[0:bad\] perf record -e cpu-clock -o /no/such/folder/data true' out
says '^  state:   exited with status [0-9]+.*; restarts in [0-9]+ s' out
says /no/such/folder base/session-bad/output
daemon ping >out && fail "a dead session answers"
says '^OK   one' out
says '^FAIL bad \(not running\)' out

# Signals.
daemon signal --session one >out || fail "signal"
says "^signal 12 sent to session 'one \[$(pid_of one)\]'" out
has_files() { [ "$(find "$1" -name 'perf.data.2*' | wc -l)" -ge "$2" ]; }
until_true has_files base/session-one 1
daemon signal --session onne 2>err && fail "a signal to no session"
says "^failed: there is no session 'onne': did you mean 'one'" err

# Bytes that are not a request; clients that send nothing.
python3 - <<'END' || fail "hostile clients"
import os, socket
os.chdir("base")
def ask(data, wait=True):
    s = socket.socket(socket.AF_UNIX)
    s.connect("control")
    try:
        s.sendall(data)
    except BrokenPipeError:
        pass
    if not wait:
        return s
    s.settimeout(20)
    got = b""
    try:
        while True:
            part = s.recv(4096)
            if not part:
                return got
            got += part
    except ConnectionResetError:
        return got
silent = [ask(b"perf-daemon 1\tlis", wait=False) for _ in range(30)]
for data in (b"\n", b"x" * 100000, b"perf-daemon 2\tlist\t\n", b"perf-daemon 1\tlist\t../x\n",
             b"perf-daemon 1\tlist\n\0\xff", b"\0" * 256, os.urandom(64) + b"\n"):
    answer = ask(data)
    assert data.startswith(b"perf-daemon 1\tlist\n") or answer.startswith(b"error\t") or not answer, (data[:40], answer)
for _ in range(2000):
    assert ask(b"perf-daemon 1\tping\tone\n") == b"ping\tone\t" + ask(b"perf-daemon 1\tping\tone\n").split(b"\t")[2] + b"\t0\t\nend\n"
END
answers one || fail "no answer after hostile clients"

# The configuration changes: a mistake is logged, and has no other effect.
old=$(pid_of one)
cp config config.good
printf '[session-one]\nrun = "x\n' >>config
until_true is_logged 'reconfig: nothing changes: .*/config:[0-9]+: this value lacks its closing quote'
kill -0 "$old" || fail "a mistake ended the session"
sed -e 's/sleep 1000/sleep 2000/' -e '/bad/,$d' config.good >new
printf '[session-three]\nrun = -e cpu-clock sleep 1000\n' >>new
mv new config
until_true is_gone "$old"
until_true answers three
until_true answers one
[ "$(daemon | grep -c '^\[')" = 3 ] || fail "not the sessions of the new configuration"

# A daemon that is killed takes its sessions with it, and leaves no obstacles for the next one.
old=$(pid_of daemon) one=$(pid_of one) three=$(pid_of three)
kill -9 "$old"
until_true is_gone "$one"
until_true is_gone "$three"
daemon >out 2>err && fail "a killed daemon answers"
says '^failed: no perf daemon runs' err
daemon start || fail "start after kill -9"
until_true answers one
one=$(pid_of one)
daemon stop || fail "stop"
is_gone "$one" || fail "stop left a session behind"
for file in base/session-one/perf.data.2*; do
	perf script -i "$file" >/dev/null 2>err || fail "$file cannot be read"
done

# A base whose path is longer than a socket's may be.
long=$work/$(printf 'x%.0s' $(seq 120))/$(printf 'y%.0s' $(seq 120))
mkdir -p "$long"
perf daemon start --config config --base "$long" || fail "a long path"
until_true perf daemon ping --base "$long" --session one >out
perf daemon stop --base "$long" || fail "stop with a long path"

# Places that cannot be a base.
perf daemon start --config config --base nowhere 2>err && fail "a base that is not there"
says "^failed: base 'nowhere' does not exist" err
mkdir shared && chmod 777 shared
perf daemon start --config config --base shared 2>err && fail "a base that everybody may write to"
says "^failed: everybody may write to base" err
if [ "$(id -u)" = 0 ]; then
	chown 12345 shared && chmod 700 shared
	perf daemon start --config config --base shared 2>err && fail "another user's base"
	says "belongs to another user \(uid 12345\)" err
fi

# Old recordings are removed: never more than the limit, and the newest stay.
mkdir deep
cat >config <<END
[session-box]
run = "-e cpu-clock -F 5000 --switch-output=20K sh -c 'while :; do :; done'"
max-size = 1M
END
stamp() { find deep/session-box -name 'perf.data.2*' | sort | head -n 1; }
perf daemon start --config config --base deep || fail "start with a limit"
until_true has_files deep/session-box 2
first=$(stamp)
first_is_gone() { [ ! -e "$first" ]; }
until_true first_is_gone
used=$(du -sk deep/session-box | cut -f 1)
[ "$used" -lt 3000 ] || fail "$used K are kept of at most 1024 K"
perf daemon --base deep -v >out
says '^  data:    [0-9]+ files, [0-9]+K of at most 1024K' out
perf daemon stop --base deep || fail "stop with a limit"
perf script -i "$(find deep/session-box -name 'perf.data.2*' | sort | tail -n 1)" >/dev/null ||
	fail "the newest recording cannot be read"

# A full disk is logged; the daemon goes on when there is space.
mkdir full
if ! mount -t tmpfs -o size=700k,mode=700 tmpfs full 2>/dev/null; then
	echo "the full disk is left out: no tmpfs can be mounted"
	exit $failed
fi
cat >config <<END
[session-box]
run = "-e cpu-clock -F 5000 sh -c 'while :; do :; done'"
END
perf daemon start --config config --base full || fail "start on a small disk"
waits() { perf daemon --base full | grep -q 'waits for room on the disk'; }
until_true waits
# Files that the daemon must not touch.
rm -f full/session-box/perf.data*
until_true perf daemon ping --base full --session box >/dev/null
says 'no room on the disk' full/output
perf daemon stop --base full || fail "stop on a full disk"
exit $failed
