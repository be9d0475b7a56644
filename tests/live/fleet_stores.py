# SPDX-License-Identifier: MIT
"""Stores of a fleet: a file, and servers that are started in a folder and may be killed."""
import glob
import os
import pwd
import shutil
import signal
import socket
import sqlite3
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

TABLES = {
    "perf_image": "id, build_id, name, is_kernel",
    "perf_frame": "id, image, function, is_inlined, address",
    "perf_stack": "id, parent, frame",
    "perf_source": "id, host, service, container, comm, rollup",
    "perf_event": "id, name, is_time",
    "perf_batch": "id, minute, host",
    "perf_sample": "minute, batch, source, event, stack, samples, period",
    "perf_hour": "hour, source, event, stack, samples, period",
}


def unescape(cell):
    out, escaped = [], False
    for c in cell:
        if escaped:
            out.append({"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}.get(c, c))
        elif c != "\\":
            out.append(c)
        escaped = c == "\\" and not escaped
    return "".join(out)


def rows_of(text):
    return sorted(tuple(unescape(c) for c in line.split("\t")) for line in text.split("\n")[:-1])


# Stores. dump() returns all rows of a table as texts, sorted.

class Sqlite:
    name = "SQLite"

    def __init__(self, path):
        self.path, self.url = path, "sqlite:" + path

    def run(self, sql):
        database = sqlite3.connect(self.path)
        database.executescript(sql)
        database.close()

    def dump(self, table):
        database = sqlite3.connect(self.path)
        rows = database.execute("SELECT %s FROM %s" % (TABLES[table], table)).fetchall()
        database.close()
        return sorted(tuple(str(c) for c in row) for row in rows)


class Server:
    """A server that is started in a folder, and may be killed and restarted."""

    process = None

    def kill(self):
        process = self.process
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # another thread has just killed it
        process.wait()

    def restart(self):
        if self.process and self.process.poll() is None:
            self.kill()
        for _ in range(50):
            if self.start():
                return
            time.sleep(0.2)
        raise RuntimeError("%s does not come back" % self.name)


class Postgresql(Server):
    name = "PostgreSQL"

    def __init__(self, folder, programs, durable):
        self.folder, self.programs, self.log = folder, programs, open(folder + ".log", "ab")
        self.fsync = "on" if durable else "off"
        self.user = []
        os.mkdir(folder)
        if os.getuid() == 0:
            os.chmod(os.path.dirname(folder), 0o755)
            shutil.chown(folder, "postgres")
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        subprocess.run(self.user + [programs + "/initdb", "-D", folder + "/data", "-A", "trust", "-U", "perf", "-N",
                                    "-E", "UTF8", "--locale=C"], check=True, stdout=self.log, stderr=self.log)
        self.restart()
        self.use("postgres")

    def use(self, database):
        self.database = database
        self.url = "postgresql://perf@%s/%s" % (urllib.parse.quote(self.folder, safe=""), database)

    def start(self):
        self.process = subprocess.Popen(
            self.user + [self.programs + "/postgres", "-D", self.folder + "/data", "-k", self.folder, "-h", "",
                         "-c", "fsync=" + self.fsync], stdout=self.log, stderr=self.log, start_new_session=True)
        for _ in range(300):
            if self.process.poll() is not None:
                return False
            if subprocess.run(["psql", "-h", self.folder, "-U", "perf", "-c", "", "postgres"],
                              capture_output=True).returncode == 0:
                return True
            time.sleep(0.1)
        return False

    def kill(self):
        """Backends have sessions of their own, and must be killed at once, too."""
        try:
            children = open("/proc/%d/task/%d/children" % (self.process.pid, self.process.pid)).read().split()
        except FileNotFoundError:
            children = []  # another thread has just killed it
        self.process.kill()
        for child in children:
            try:
                os.kill(int(child), signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        while any(os.path.exists("/proc/" + c) for c in children):
            time.sleep(0.1)

    def run(self, sql):
        run = subprocess.run(["psql", "-h", self.folder, "-U", "perf", "-qAt", "-v", "ON_ERROR_STOP=1", "-f", "-",
                              self.database], input=sql.encode(), capture_output=True)
        if run.returncode:
            raise RuntimeError("PostgreSQL: %s: %s" % (sql[:60], run.stderr))
        return run.stdout.decode()

    def dump(self, table):
        return rows_of(self.run("COPY (SELECT %s FROM %s) TO STDOUT" % (TABLES[table], table)))

    def backend(self):
        return socket.AF_UNIX, self.folder + "/.s.PGSQL.5432"

    def through(self, proxy):
        """Returns the URL by which a push goes through @proxy."""
        return "postgresql://perf@127.0.0.1:%d/%s" % (proxy.port, self.database)


class Clickhouse(Server):
    name = "ClickHouse"
    CONFIG = """<?xml version="1.0"?>
<yandex>
<logger><level>warning</level><log>%(dir)s/log</log><errorlog>%(dir)s/errors</errorlog></logger>
<http_port>%(port)d</http_port><listen_host>127.0.0.1</listen_host>%(tls)s
<path>%(dir)s/data/</path><tmp_path>%(dir)s/tmp/</tmp_path><user_files_path>%(dir)s/files/</user_files_path>
<users_config>%(dir)s/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>67108864</mark_cache_size>
</yandex>
"""
    TLS = """<https_port>%(port)d</https_port><openSSL><server><certificateFile>%(dir)s/certificate.pem</certificateFile>
<privateKeyFile>%(dir)s/key.pem</privateKeyFile><verificationMode>none</verificationMode><loadDefaultCAFile>false</loadDefaultCAFile>
</server></openSSL>"""
    USERS = """<?xml version="1.0"?>
<yandex><profiles><default></default></profiles><users><default><password></password><networks><ip>::/0</ip></networks>
<profile>default</profile><quota>default</quota></default></users><quotas><default></default></quotas></yandex>
"""

    def __init__(self, folder, program):
        self.folder, self.program = folder, program
        for name in ("data", "tmp", "files"):
            os.makedirs("%s/%s" % (folder, name))
        self.port, self.tls_port = self.free_port(), None
        with open(folder + "/config.xml", "w") as file:
            file.write(self.CONFIG % {"dir": folder, "port": self.port, "tls": self.tls()})
        with open(folder + "/users.xml", "w") as file:
            file.write(self.USERS)
        self.log = open(folder + ".log", "ab")
        self.restart()
        self.use("default")

    @staticmethod
    def free_port():
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            return s.getsockname()[1]

    def tls(self):
        """Returns the settings of an encrypted port with a certificate of its own; "" without openssl(1)."""
        if not shutil.which("openssl"):
            return ""
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", self.folder + "/key.pem",
                        "-out", self.folder + "/certificate.pem"], check=True, capture_output=True)
        self.tls_port = self.free_port()
        return self.TLS % {"dir": self.folder, "port": self.tls_port}

    def use(self, database):
        self.database = database
        self.url = "clickhouse://127.0.0.1:%d/%s" % (self.port, database)

    def start(self):
        self.process = subprocess.Popen([self.program, "--config-file=%s/config.xml" % self.folder],
                                        stdout=self.log, stderr=self.log, start_new_session=True, cwd=self.folder)
        for _ in range(300):
            if self.process.poll() is not None:
                return False
            try:
                with urllib.request.urlopen("http://127.0.0.1:%d/ping" % self.port):
                    return True
            except OSError:
                time.sleep(0.1)
        return False

    def run(self, sql):
        for statement in filter(str.strip, sql.split(";")):
            url = "http://127.0.0.1:%d/?database=%s" % (self.port, self.database)
            try:
                with urllib.request.urlopen(url, statement.encode()) as answer:
                    text = answer.read().decode()
            except urllib.error.HTTPError as e:
                raise RuntimeError("ClickHouse: %s: %s" % (statement[:60], e.read())) from e
        return text

    def dump(self, table):
        # Rows of dictionaries and batches may be duplicated until the server merges; sums are rows to be added.
        if table == "perf_hour":
            return rows_of(self.run("SELECT hour, source, event, stack, sum(samples), sum(period) FROM perf_hour "
                                    "GROUP BY hour, source, event, stack"))
        return rows_of(self.run("SELECT %s %s FROM %s" % ("" if table == "perf_sample" else "DISTINCT",
                                                          TABLES[table], table)))

    def backend(self):
        return socket.AF_INET, ("127.0.0.1", self.port)

    def through(self, proxy):
        return "clickhouse://127.0.0.1:%d/%s" % (proxy.port, self.database)


def start_servers(perf, folder, durable=False):
    """Starts the available servers below @folder; returns them, and texts about the others. @durable: writes wait for
    the disk.
    """
    missing = []
    servers = []
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin/postgres") + glob.glob("/usr/bin/postgres"))
    features = subprocess.run([perf, "version", "--build-options"], capture_output=True, text=True).stdout
    if not programs or not shutil.which("psql"):
        missing.append("PostgreSQL (package postgresql)")
    elif "libpq: [ on" not in features:
        missing.append("PostgreSQL (this perf has no libpq)")
    elif os.getuid() == 0 and "postgres" not in [u.pw_name for u in pwd.getpwall()]:
        missing.append("PostgreSQL (there is no user postgres, and it does not run as root)")
    else:
        servers.append(Postgresql(folder + "/pg", os.path.dirname(programs[-1]), durable))
    program = shutil.which("clickhouse-server", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if not program:
        missing.append("ClickHouse (package clickhouse-server)")
    elif "libcurl: [ on" not in features:
        missing.append("ClickHouse (this perf has no libcurl)")
    else:
        servers.append(Clickhouse(folder + "/ch", program))
    return servers, missing
