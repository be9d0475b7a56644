# SPDX-License-Identifier: MIT
# Waits for locks, counted by BPF programs that an older verifier must accept in all their forms, and by the names of
# futexes.
work=$(mktemp -d)
cd "$work"
perf check -q feature bpf || { echo 'this perf has no BPF programs'; exit 77; }
[ -e /sys/kernel/btf/vmlinux ] || { echo 'this kernel has no BTF'; exit 77; }

for rows in '' -t -l '-o -t' --lock-cgroup '--max-stack 127' '-S sys' '-L mmap_lock' '-Y mutex,rwsem' '-G /' '-C 0' \
	'--user' '--user-only -o -t' '--user -l'; do
	# shellcheck disable=SC2086
	perf lock contention -b -a $rows --output out -- true 2>err || { echo "$rows:"; cat err; exit 1; }
	[ ! -s err ] || { echo "$rows:"; cat err; exit 1; }
done

# Threads of this program wait for one lock, and for each other.
command -v cc >/dev/null || { echo 'without cc nothing is measured'; exit 0; }
cat >load.c <<'C'
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t hot_lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg)
{
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&hot_lock);
		usleep(5000);
		pthread_mutex_unlock(&hot_lock);
	}
	return arg;
}
int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, work, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return 0;
}
C
cc -O1 -fno-omit-frame-pointer -o load load.c -lpthread
for way in -b ''; do
	# shellcheck disable=SC2086
	perf lock contention $way --user -l --output out -- ./load 2>err || { cat err; exit 1; }
	grep -q ' hot_lock (futex)$' out || { echo "$way: no hot_lock"; cat out; exit 1; }
done
perf lock contention -b --user -o -t --output out -- ./load || exit 1
grep -q ' load$' out || { echo 'no owner'; cat out; exit 1; }
