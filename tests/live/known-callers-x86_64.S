/* SPDX-License-Identifier: MIT */
/*
 * Functions without CFI: a leaf, one with a frame pointer, one without, and one that uses the frame
 * pointer for something else. They return in different ways.
 */
	.macro	function name
	.text
	.balign	16
	.global	\name
	.type	\name, @function
\name:
	.endm

	.macro	spin n
	mov	$\n, %ecx
99:	dec	%ecx
	jnz	99b
	.endm

	.macro	calls callee
	mov	$3, %ebx
1:	spin	20
	call	\callee
	spin	20
	dec	%ebx
	jnz	1b
	.endm

function leaf
	spin	60
	ret
	.size	leaf, . - leaf

function framed
	push	%rbp
	mov	%rsp, %rbp
	push	%rbx
	sub	$24, %rsp
	calls	leaf
	mov	-8(%rbp), %rbx
	leave
	ret
	.size	framed, . - framed

function unframed
	push	%rbx
	sub	$48, %rsp
	push	%rbp
	calls	framed
	pop	%rbp
	add	$48, %rsp
	pop	%rbx
	test	%eax, %eax
	jz	2f
	ret
2:	ret
	.size	unframed, . - unframed

function busy_fp
	push	%rbp
	push	%rbx
	lea	-40(%rsp), %rsp
	mov	$77, %ebp
	calls	unframed
	lea	40(%rsp), %rsp
	pop	%rbx
	pop	%rbp
	jmp	last
	.size	busy_fp, . - busy_fp

function last
	spin	20
	ret
	.size	last, . - last

	.section .note.GNU-stack, "", %progbits
