(* SPDX-License-Identifier: MIT *)
(* Calls a C function, by way of caml_c_call. *)
external mark : int -> int = "ml_mark"

let caller n =
  let s = ref 0 in
  for i = 1 to n do
    s := !s + mark i + 1
  done;
  !s

let () =
  let r = ref 0 and until = Sys.time () +. 0.5 in
  while Sys.time () < until do
    r := !r + caller 10
  done;
  print_int !r
