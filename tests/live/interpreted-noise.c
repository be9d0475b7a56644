/* SPDX-License-Identifier: MIT */
/*
 * Starts a program and writes noise over its memory: SEED COMMAND...
 *
 * After a second, words at random places of its writable memory become random ones, pointers to
 * elsewhere in it, or large numbers; more and more of them for a second. Then it is killed.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAPS_MAX 4096

static struct {
	uint64_t start, end;
} maps[MAPS_MAX];
static size_t n_maps;

static uint64_t state;

static uint64_t next_random(void)
{
	state ^= state << 13, state ^= state >> 7, state ^= state << 17;
	return state;
}

static void read_maps(pid_t pid)
{
	char path[64], line[512], flags[8];
	unsigned long start, end;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "r");
	while (f && n_maps < MAPS_MAX && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %7s", &start, &end, flags) == 3 && flags[0] == 'r' &&
		    flags[1] == 'w') {
			maps[n_maps].start = start;
			maps[n_maps++].end = end;
		}
	if (f)
		fclose(f);
}

static uint64_t choose_address(void)
{
	size_t k = next_random() % n_maps;

	return (maps[k].start + next_random() % (maps[k].end - maps[k].start)) & ~(uint64_t)7;
}

static void write_noise(int memory)
{
	uint64_t at = choose_address(), old, word;

	if (pread(memory, &old, sizeof(old), (off_t)at) != sizeof(old) || !old)
		return;
	switch (next_random() % 4) {
	case 0:
		word = next_random();
		break;
	case 1:
		word = choose_address();
		break;
	case 2:
		word = old ^ (uint64_t)1 << next_random() % 64;
		break;
	default:
		word = old + next_random() % 65536;
	}
	if (pwrite(memory, &word, sizeof(word), (off_t)at) != sizeof(word))
		return;
}

int main(int argc, char **argv)
{
	const struct timespec pause = { 0, 1000000 };
	char path[64];
	int memory, status;
	pid_t pid;

	if (argc < 3)
		return 2;
	state = 88172645463325252u * (uint64_t)atoi(argv[1]);
	pid = fork();
	if (!pid) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	sleep(1);
	read_maps(pid);
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	memory = open(path, O_RDWR | O_CLOEXEC);
	if (!n_maps || memory < 0)
		return 1;
	for (int i = 0; i < 1000 && !waitpid(pid, &status, WNOHANG); i++) {
		for (int k = 0; k < 1 + i / 10; k++)
			write_noise(memory);
		nanosleep(&pause, NULL);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return 0;
}
