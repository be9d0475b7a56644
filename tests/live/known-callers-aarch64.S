/* SPDX-License-Identifier: MIT */
/*
 * Functions without CFI, with all forms of frames: without a frame, with a record, without a record,
 * with x29 used for something else.
 */
	.macro	function name
	.text
	.balign	16
	.global	\name
	.type	\name, %function
\name:
	.endm

	.macro	spin n
	mov	x9, #\n
99:	subs	x9, x9, #1
	b.ne	99b
	.endm

function leaf
	spin	60
	ret
	.size	leaf, . - leaf

function framed
	stp	x29, x30, [sp, #-32]!
	mov	x29, sp
	stp	x19, x20, [sp, #16]
	mov	x19, #3
1:	spin	20
	bl	leaf
	spin	20
	subs	x19, x19, #1
	b.eq	2f
	b	1b
2:	ldp	x19, x20, [sp, #16]
	ldp	x29, x30, [sp], #32
	ret
	.size	framed, . - framed

function unframed
	sub	sp, sp, #48
	str	x30, [sp, #40]
	bl	framed
	spin	30
	bl	leaf
	ldr	x30, [sp, #40]
	add	sp, sp, #48
	ret
	.size	unframed, . - unframed

function busy_fp
	stp	x29, x30, [sp, #-16]!
	mov	x29, #30
1:	subs	x29, x29, #1
	b.ne	1b
	bl	leaf
	bl	unframed
	ldp	x29, x30, [sp], #16
	ret
	.size	busy_fp, . - busy_fp

	.section .note.GNU-stack, "", %progbits
