/* SPDX-License-Identifier: MIT */
/*
 * links-racer TARGET NAME...: replaces these names by symbolic links to TARGET again and again,
 * until it is killed. perf record must not follow the links.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	for (;;) {
		for (int i = 2; i < argc; i++) {
			if (symlink(argv[1], argv[i]) < 0) {
				unlink(argv[i]);
				if (symlink(argv[1], argv[i]) < 0)
					continue;
			}
		}
	}
}
