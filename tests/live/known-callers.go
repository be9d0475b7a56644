// SPDX-License-Identifier: MIT

// Functions with large frames, which the compiler zeroes by runtime.duffzero.
package main

import (
	"fmt"
	"time"
)

type large struct{ words [64]int }

//go:noinline
func hot(n int) int {
	var l large
	for i := range l.words {
		l.words[i] = n * i
	}
	s := 0
	for i := 0; i < 64; i++ {
		s += l.words[(i*7)%64]
	}
	return s
}

//go:noinline
func sum(n int, l *large) int {
	s := 0
	for i := 0; i < 50; i++ {
		s += l.words[(i*n)&63] ^ i
	}
	return s
}

//go:noinline
func caller(n int) int {
	var l large
	s := hot(n)
	s += sum(n, &l)
	return s + 1
}

func main() {
	s := 0
	for end := time.Now().Add(time.Second); time.Now().Before(end); {
		for i := 0; i < 1000; i++ {
			s += caller(i)
		}
	}
	fmt.Println(s)
}
