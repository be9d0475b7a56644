/* SPDX-License-Identifier: MIT */
/*
 * A program with markers, made by hand as <sys/sdt.h> makes them: load:tick at two places with a
 * number and a text, load:guarded behind a semaphore. Prints how often the semaphore was set.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * The program may be moved as a whole after the notes were written; this section gives the
 * distance.
 */
asm(".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"
    ".weak _.stapsdt.base\n"
    "_.stapsdt.base: .space 1\n"
    ".popsection");

unsigned short load_guarded_semaphore __attribute__((section(".probes")));

#define MARK(name, semaphore, number, text)                                                        \
	asm volatile("990: nop\n"                                                                  \
		     ".pushsection .note.stapsdt,\"\",\"note\"\n"                                  \
		     ".balign 4\n"                                                                 \
		     ".4byte 992f - 991f, 994f - 993f, 3\n"                                        \
		     "991: .asciz \"stapsdt\"\n"                                                   \
		     "992: .balign 4\n"                                                            \
		     "993: .8byte 990b, _.stapsdt.base, " semaphore "\n"                           \
		     ".asciz \"load\", \"" name "\", \"-8@%0 8@%1\"\n"                             \
		     "994: .balign 4\n"                                                            \
		     ".popsection"                                                                 \
		     :                                                                             \
		     : "r"((long)(number)), "r"(text))

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 3, guarded = 0;
	volatile unsigned short *semaphore = &load_guarded_semaphore;

	for (int i = 0; i < rounds; i++) {
		if (i & 1)
			MARK("tick", "0", -i, "odd");
		else
			MARK("tick", "0", i * 1000, "even");
		if (*semaphore) {
			guarded++;
			MARK("guarded", "load_guarded_semaphore", i, "behind it");
		}
		if (argc > 2)
			usleep((unsigned)atoi(argv[2]));
	}
	printf("guarded %d\n", guarded);
	return 0;
}
