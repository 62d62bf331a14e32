// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/refusal.h"

#include "base/error.h"

namespace whittle::c {

namespace {

constexpr RefusalInfo kRefusals[] = {
    {Refusal::Pointer, "c-pointer", "a pointer is used",
     "whittle reads pointers only as parameters that are bound to an array or a variable"},
    {Refusal::Heap, "c-heap", "memory is allocated",
     "whittle knows variables and arrays of constant size"},
    {Refusal::Float, "c-float", "a floating-point number is used",
     "whittle computes with integers"},
    {Refusal::Union, "c-union", "a union is used", "use variables of their own"},
    {Refusal::Struct, "c-struct", "a structure is used as a whole or has bit-fields",
     "whittle reads its members one by one"},
    {Refusal::Array, "c-array", "an array is used as a whole", "use its elements"},
    {Refusal::String, "c-string", "a string is used", "use single characters"},
    {Refusal::FunctionPointer, "c-function-pointer", "a function is called through a pointer",
     "call it by its name"},
    {Refusal::Vla, "c-vla", "an array has no constant length", "give it a constant length"},
    {Refusal::Recursion, "c-recursion", "a function calls itself",
     "`--c-recursion` says how many calls inside each other there is room for; `main` is called "
     "once"},
    {Refusal::Volatile, "c-volatile", "a volatile variable is used",
     "leave out `volatile` if nothing but the program changes it"},
    {Refusal::Asm, "c-asm", "assembler is used", "write it in C"},
    {Refusal::Variadic, "c-variadic", "a function with a variable number of arguments is used",
     "give it the parameters that it has"},
    {Refusal::Unsequenced, "c-unsequenced",
     "a variable is changed and used in one expression, in an order that C leaves open",
     "write two statements"},
    {Refusal::External, "c-external", "a function that is not defined gets a pointer or gives one",
     "define the function"},
    {Refusal::Thread, "c-thread", "a thread is used", "whittle reads sequential C"},
    {Refusal::Jump, "c-jump", "a jump to an address, or out of the function",
     "use `goto` with a label"},
    {Refusal::Extension, "c-extension", "an extension of C that whittle does not read",
     "write it in standard C"},
};

}  // namespace

const RefusalInfo& info(Refusal refusal) {
  for (const RefusalInfo& entry : kRefusals)
    if (entry.refusal == refusal) return entry;
  throw InternalError("unknown refusal");
}

}  // namespace whittle::c
