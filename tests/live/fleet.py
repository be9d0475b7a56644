# SPDX-License-Identifier: MIT
"""Pushes to stores of all kinds, with real servers; see fleet.sh. The argument is the folder of fixtures."""
import collections
import difflib
import http.server
import os
import shutil
import socket
import subprocess
import sys
import threading
import time

from fleet_stores import TABLES, Postgresql, Sqlite, start_servers

PERF = os.environ["PERF"]
FIXTURES = sys.argv[1]
FIRST = 1780000020  # the start of a minute
failures = []


def check(what, good, detail=""):
    if not good:
        failures.append("%s: %s" % (what, str(detail)[:2000]))
    return good


def wait_until(what, good):
    for _ in range(600):
        if good():
            return True
        time.sleep(0.1)
    check("waited in vain", False, what)
    return False


class Proxy:
    """Passes bytes on to a server, and kills the server once a client has sent @limit of them."""

    def __init__(self, server, limit):
        self.server, self.limit, self.n, self.lock, self.killed = server, limit, 0, threading.Lock(), False
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(8)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            family, address = self.server.backend()
            behind = socket.socket(family)
            try:
                behind.connect(address)
            except OSError:
                client.close()
                continue
            threading.Thread(target=self.relay, args=(client, behind, True), daemon=True).start()
            threading.Thread(target=self.relay, args=(behind, client, False), daemon=True).start()

    def relay(self, source, sink, counts):
        try:
            while (data := source.recv(4096)):
                sink.sendall(data)
                if counts:
                    self.count(len(data))
        except OSError:
            pass
        for s in (source, sink):
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def count(self, n):
        with self.lock:
            self.n += n
            if self.limit is not None and self.n >= self.limit and not self.killed:
                self.killed = True
                self.server.kill()

    def close(self):
        self.listener.close()


# Recordings: folded stacks, whose time is that of the file.

def folded(name, minute, stacks):
    with open(name, "wb") as file:
        for stack, count in stacks:
            file.write(stack + b" %d\n" % count)
    os.utime(name, (FIRST + 60 * minute, FIRST + 60 * minute))
    return name


def fleet():
    """Returns (file, host, service) of six hosts and three minutes, across the change of an hour."""
    found = []
    for host in range(6):
        for minute in (0, 1, 45):
            stacks = [(b"app%d;main;f%d;g%d" % (host % 2, i % 7, i), 1 + (i * 7 + host + minute) % 13) for i in range(40)]
            found.append((folded("f-%d-%d.folded" % (host, minute), minute, stacks), "host%d" % host,
                          "service%d" % (host % 3)))
    return found


def hostile():
    name = b"it's \"a\" \\ \\N \t ${x} %s -- \xff\xc3( \xe2\x82\xac"
    file = folded("hostile.folded", 2, [(b"c'o\\m\"m;" + name + b";end", 3), (b"x;" + b"n" * 10240, 4), (b"\\N;\\", 5)])
    found = [(file, "h'o\"s\\t\t", "s;'--"), (file, "\\N", "")]
    with open(os.path.join(FIXTURES, "report/calls.data"), "rb") as calls:
        data = calls.read()
    changed = data.replace(b"helper\0\0", b"a'\"\\\n\t\xff\0")
    check("the name was replaced", changed != data)
    with open("hostile.data", "wb") as calls:
        calls.write(changed)
    os.utime("hostile.data", (FIRST, FIRST))
    return found + [("hostile.data", "", "")]


def push_command(url, recording, *options):
    """Makes the command of a push. Each has a queue of its own, as hosts have."""
    file, host, service = recording
    push_command.n = getattr(push_command, "n", 0) + 1
    return [PERF, "push", "--to", url, "-i", file, "--queue", "queues/%d" % push_command.n, *options] + \
        ["--host", host] * bool(host) + ["--service", service] * bool(service)


def push(url, recording, *options, good=True):
    run = subprocess.run(push_command(url, recording, *options), capture_output=True, text=True, errors="replace")
    if good:
        check("push to %s" % url, run.returncode == 0, run.stderr)
    return run


def maintain(url):
    run = subprocess.run([PERF, "push", "--to", url, "--maintain"], capture_output=True, text=True)
    check("maintain " + url, run.returncode == 0, run.stderr)


def report(url):
    run = subprocess.run([PERF, "report", "--stdio", "-i", url], capture_output=True)
    check("report " + url, run.returncode == 0, run.stderr)
    return run.stdout


def diff_fleet(url):
    run = subprocess.run([PERF, "diff", "-q", "--fleet", "new=%s?host=host[0-3]" % url, "old=%s?host=host[4-9]" % url],
                         capture_output=True)
    check("diff --fleet " + url, run.returncode == 0, run.stderr)
    return run.stdout


def heatmap(url, options):
    run = subprocess.run([PERF, "heatmap", "--json", "-i", url, *options], capture_output=True)
    check("heatmap " + url, run.returncode == 0, run.stderr)
    return run.stdout.replace(url.encode(), b"STORE")


def differences(a, b):
    a, b = (text.decode(errors="replace").splitlines() for text in (a, b))
    return "\n".join(difflib.unified_diff(a, b, lineterm="", n=1))


def compare(what, reference, stores):
    for store in stores:
        maintain(store.url)
        for table in TABLES:
            a, b = reference.dump(table), store.dump(table)
            check("%s: %s of %s" % (what, table, store.name), a == b,
                  "only SQLite: %s\nonly there: %s\n%d and %d rows" %
                  (sorted(set(a) - set(b))[:3], sorted(set(b) - set(a))[:3], len(a), len(b)))


def fresh(store, database):
    """Makes an empty database of that name."""
    store.use("postgres" if isinstance(store, Postgresql) else "default")
    store.run("CREATE DATABASE " + database)
    store.use(database)


def test_rows(servers):
    """The same pushes, each repeated, give the same rows; reports are the same too."""
    reference = Sqlite("rows.db")
    recordings = fleet() + hostile()
    for store in [reference] + servers:
        if store is not reference:
            fresh(store, "rows")
        for recording in recordings:
            push(store.url, recording)
        again = push(store.url, recordings[0])
        check("sent twice", "0 batches sent, 1 known" in again.stderr, again.stderr)
    compare("rows", reference, servers)
    for choice in ("", "?service=service1", "?host=host[0-3]&until=@%d" % (FIRST + 60), "?comm=a*&event=samples",
                   "?by=host", "?by=host&by=function", "?by=function",
                   "?since=@%d&until=@%d" % (FIRST + 60, FIRST + 120), "?host=h'o\"s\\\\t*"):
        wanted = report(reference.url + choice)
        for store in servers:
            found = report(store.url + choice)
            check("report %s of %s" % (choice, store.name), found == wanted, differences(wanted, found))
    for options in ([], ["--time", "20%-100%"]):
        wanted = heatmap(reference.url, options)
        for store in servers:
            found = heatmap(store.url, options)
            check("heatmap %s of %s" % (options, store.name), found == wanted, differences(wanted, found))
    wanted = diff_fleet(reference.url)
    for store in servers:
        found = diff_fleet(store.url)
        check("diff --fleet of " + store.name, found == wanted, differences(wanted, found))


def hours_of_samples(store):
    sums = collections.Counter()
    for minute, _, _, event, stack, samples, _ in store.dump("perf_sample"):
        sums[int(minute) // 3600 * 3600, event, stack] += int(samples)
    return sums


def hours(store):
    sums = collections.Counter()
    for hour, _, event, stack, samples, _ in store.dump("perf_hour"):
        sums[int(hour), event, stack] += int(samples)
    return sums


def test_keeping(servers):
    """Minutes that are too old are removed, and later their hours; the rest adds up, and reports are the same."""
    day, now = 86400, int(time.time()) // 60 * 60
    recordings = []
    for age in (400, 20, 3, 0):
        for minute in (0, 1):
            file = folded("age-%d-%d.folded" % (age, minute), 0,
                          [(b"app;main;f%d" % i, 1 + i + age + minute) for i in range(5)])
            at = now - age * day - 60 * minute
            os.utime(file, (at, at))
            # The sum of an hour comes from several minutes and hosts.
            recordings += [(file, host, "s") for host in ("a", "b")]
    reference = Sqlite("keeping.db")
    keep = ["--maintain", "--keep-minutes", "7d", "--keep-hours", "100d"]
    for store in [reference] + servers:
        if store is not reference:
            fresh(store, "keeping")
        for recording in recordings:
            push(store.url, recording)
        maintain(store.url)
        check("%s: hours are sums of minutes" % store.name, hours(store) == hours_of_samples(store), hours(store))
        before = hours(store)
        for _ in range(2):
            run = subprocess.run([PERF, "push", "--to", store.url, *keep], capture_output=True, text=True)
            check("%s: keeping" % store.name, run.returncode == 0, run.stderr)
            left = {int(row[0]) for row in store.dump("perf_sample")}
            check("%s: minutes" % store.name, len(left) == 4 and min(left) > now - 4 * day, left)
            kept = collections.Counter({k: n for k, n in before.items() if k[0] > now - 50 * day})
            check("%s: hours" % store.name, hours(store) == kept and len(kept) < len(before), hours(store))
        found = report(store.url)
        check("%s: a report of what is left" % store.name, found == report(reference.url),
              differences(report(reference.url), found))
        # An old minute that comes late is accepted, and removed again.
        push(store.url, recordings[0])
        subprocess.run([PERF, "push", "--to", store.url, *keep], check=True, capture_output=True)
        left = {int(row[0]) for row in store.dump("perf_sample")}
        check("%s: minutes that come late" % store.name, min(left) > now - 4 * day, left)


def test_at_once(servers):
    """All hosts push at once, one of them with two pushes at once."""
    reference = Sqlite("once.db")
    recordings = fleet()
    for recording in recordings:
        push(reference.url, recording)
    for store in servers:
        fresh(store, "once")
        running = [subprocess.Popen(push_command(store.url, r), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                   for r in recordings[:6] + recordings[:3]]
        for process in running:
            _, errors = process.communicate()
            check("%s: pushes at once" % store.name, process.returncode == 0, errors)
        for recording in recordings[6:]:
            push(store.url, recording)
    compare("at once", reference, servers)


def test_killed(servers):
    """A server is killed after part of a push was sent, comes back, and receives the push again."""
    big = (folded("big.folded", 0, [(b"app;main;f%d;g%d" % (i % 50, i), 1 + i % 9) for i in range(4000)]), "big", "s")
    reference = Sqlite("killed.db")
    push(reference.url, big)
    for store in servers:
        fresh(store, "whole")
        proxy = Proxy(store, None)
        push(store.through(proxy), big)
        proxy.close()
        whole = proxy.n
        for share in (0.5, 0.97):
            fresh(store, "killed%d" % (100 * share))
            maintain(store.url)  # makes the tables
            proxy = Proxy(store, int(whole * share))
            run = push(store.through(proxy), big, "--wait", "0s", good=False)
            check("%s: killed at %.2f" % (store.name, share), proxy.killed, proxy.n)
            check("%s: the push noticed" % store.name, run.returncode == 1 and run.stderr.startswith("perf push: "), run)
            proxy.close()
            store.restart()
            push(store.url, big)
            push(store.url, big)
            compare("killed at %.2f" % share, reference, [store])


def test_waiting(servers):
    """A push that is in progress when its server is killed succeeds once the server is back."""
    big = ("big.folded", "big", "s")
    for store in servers:
        fresh(store, "waiting")
        maintain(store.url)
        proxy = Proxy(store, 200000)
        process = subprocess.Popen(push_command(store.through(proxy), big), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        wait_until("the end of a server", lambda: proxy.killed)
        store.restart()
        _, errors = process.communicate()
        check("%s: a push that waited" % store.name, process.returncode == 0, errors)
        proxy.close()
    compare("waiting", Sqlite("killed.db"), servers)


def test_cut(servers):
    """A push itself is killed. Its server may keep what arrived until then."""
    big = ("big.folded", "big", "s")
    for store in servers:
        fresh(store, "cut")
        maintain(store.url)
        for limit in (150000, 400000):
            proxy = Proxy(store, None)
            process = subprocess.Popen(push_command(store.through(proxy), big), stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            wait_until("bytes of a push", lambda: proxy.n >= limit or process.poll() is not None)
            process.kill()
            process.wait()
            proxy.close()
        push(store.url, big)
    compare("cut", Sqlite("killed.db"), servers)


def test_upgrade(servers):
    """Tables of version 0, which had no sums of hours, get them with the next push."""
    first, second = fleet()[:2]
    reference = Sqlite("new.db")
    push(reference.url, first)
    old = Sqlite("old.db")
    shutil.copy("new.db", "old.db")
    old.run("DROP TABLE perf_hour; DROP INDEX perf_batch_unrolled; ALTER TABLE perf_batch DROP COLUMN rolled; "
            "UPDATE perf_schema SET version = 0")
    for store in servers:
        fresh(store, "old")
        push(store.url, first)
        if store.name == "PostgreSQL":
            store.run("DROP TABLE perf_hour; ALTER TABLE perf_batch DROP COLUMN rolled; UPDATE perf_schema SET version = 0")
        else:
            store.run("DROP TABLE perf_hour; DROP TABLE perf_rolled; DROP TABLE perf_schema; "
                      "CREATE TABLE perf_schema (version Int64) ENGINE = ReplacingMergeTree ORDER BY version; "
                      "INSERT INTO perf_schema VALUES (0)")
    for store in [reference, old] + servers:
        push(store.url, second)
    compare("upgrade", reference, [old] + servers)
    for store in [reference] + servers:
        store.run("UPDATE perf_schema SET version = 1000" if store.name != "ClickHouse" else
                  "INSERT INTO perf_schema VALUES (1000)")
        run = push(store.url, first, "--wait", "0s", good=False)
        check("%s: newer tables" % store.name, run.returncode == 1 and "newer perf" in run.stderr, run.stderr)


# OpenTelemetry: the collector is unavailable at first.

def fields(message):
    """Returns the fields of a protobuf message: a list of values by number; bytes, or numbers."""
    found, at = collections.defaultdict(list), 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            at += 1
            value |= (message[at - 1] & 127) << shift
            shift += 7
            if message[at - 1] < 128:
                return value

    while at < len(message):
        tag = varint()
        if tag & 7 == 0:
            value = varint()
        else:
            n = 8 if tag & 7 == 1 else varint()
            value, at = message[at:at + n], at + n
        found[tag >> 3].append(value)
    return found


class Collector(http.server.BaseHTTPRequestHandler):
    bodies, statuses = [], []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = self.statuses.pop(0) if self.statuses else 200
        if status == 200:
            self.bodies.append((self.path, self.headers["Content-Type"], body))
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def read_otlp(body):
    """Returns the resource's texts, and samples by stack and command."""
    top = fields(body)
    tables = fields(top[2][0])
    texts = [t.decode() for t in tables[5]]
    resource = fields(top[1][0])
    labels = {}
    for attribute in map(fields, fields(resource[1][0])[1]):
        labels[attribute[1][0].decode()] = fields(attribute[2][0])[1][0].decode()
    counts = collections.Counter()
    for profile in map(fields, fields(resource[2][0])[2]):
        if texts[fields(profile[1][0])[1][0]] != "samples":
            continue
        for sample in map(fields, profile[2]):
            comm = fields(fields(tables[6][sample[2][0][0]])[2][0])[1][0].decode()
            names = [texts[fields(tables[3][fields(fields(tables[2][place])[3][0])[1][0]])[1][0]]
                     for place in fields(tables[7][sample[1][0]])[1][0]]
            counts[";".join([comm] + names[::-1])] += sample[4][0][0]
        labels["id"] = profile[7][0]
    return labels, counts


def test_otlp():
    server = http.server.HTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = "otlp+http://127.0.0.1:%d" % server.server_port
    stacks = [(b"app;main;f%d" % i, 1 + i) for i in range(20)]
    recording = (folded("otlp.folded", 0, stacks), "host'1", "web")
    Collector.statuses[:] = [503, 429]
    push(url, recording)
    push(url, recording)
    check("OTLP: requests", [b[:2] for b in Collector.bodies] ==
          2 * [("/v1development/profiles", "application/x-protobuf")], [b[:2] for b in Collector.bodies])
    check("OTLP: the same twice", Collector.bodies[0] == Collector.bodies[-1])
    labels, counts = read_otlp(Collector.bodies[0][2])
    check("OTLP: resource", (labels["host.name"], labels["service.name"], len(labels["id"])) == ("host'1", "web", 16), labels)
    # Both profiles of the event "samples" have that name: that of periods, which are 1, and that of samples.
    check("OTLP: samples", counts == {s.decode(): 2 * n for s, n in stacks}, counts)
    for status, part in ((404, "take profiles"), (401, "netrc"), (400, "status 400")):
        Collector.statuses[:] = [status]
        run = push(url, recording, good=False)
        check("OTLP: %d" % status, run.returncode == 1 and part in run.stderr, run.stderr)
    server.shutdown()


CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"


def test_tls(servers):
    """A certificate without a trusted issuer is refused; with a trusted one, rows are the same."""
    recording = fleet()[0]
    for store in servers:
        if not getattr(store, "tls_port", None):
            continue
        fresh(store, "tls")
        url = "clickhouses://localhost:%d/tls" % store.tls_port
        run = push(url, recording, "--wait", "0s", good=False)
        check("TLS: refused", run.returncode == 1 and "certificate" in run.stderr, run.stderr)
        if os.getuid() != 0 or not os.path.exists(CERTIFICATES):
            continue
        # In a name space of its own the certificate is one of the system's.
        trusting = ["unshare", "-m", "sh", "-c", 'mount --bind "$0" "$1" && shift && exec "$@"',
                    store.folder + "/certificate.pem", CERTIFICATES]
        run = subprocess.run(trusting + push_command(url, recording), capture_output=True, text=True)
        if "mount" in run.stderr or "unshare" in run.stderr:
            continue
        check("TLS: taken", run.returncode == 0, run.stderr)
        reference = Sqlite("tls.db")
        push(reference.url, recording)
        compare("TLS", reference, [store])
        run = subprocess.run(trusting + [PERF, "report", "--stdio", "-i", url], capture_output=True)
        check("TLS: report", run.stdout == report(reference.url), run.stderr)


def test_messages(servers):
    """Messages about permanent errors say what to do."""
    for store in servers:
        store.use("nowhere")
        run = push(store.url, fleet()[0], "--wait", "0s", good=False)
        check("%s: no database" % store.name, run.returncode == 1 and "nowhere" in run.stderr
              and ("createdb" in run.stderr or "CREATE DATABASE" in run.stderr), run.stderr)


def main():
    servers, missing = start_servers(PERF, os.getcwd())
    if not any("libcurl" in text for text in missing):
        test_otlp()
    try:
        if servers:
            for test in (test_rows, test_keeping, test_at_once, test_killed, test_waiting, test_cut, test_upgrade, test_tls,
                         test_messages):
                begin = time.time()
                test(servers)
                if "-v" in sys.argv:
                    print("%s: %.1f s" % (test.__name__, time.time() - begin))
    finally:
        for server in servers:
            server.kill()
    for f in failures:
        print(f)
    if missing:
        print("not installed, and not tried:", ", ".join(missing))
    sys.exit(1 if failures else 0 if servers else 77)


main()
