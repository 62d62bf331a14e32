// SPDX-License-Identifier: Apache-2.0
// The formula sets by which translators are measured, in the notation of ir/ltl_text.h.
#pragma once

#include <array>
#include <string_view>

namespace whittle::test {

// Dwyer, Avrunin, Corbett, Patterns in property specifications for finite-state verification,
// ICSE 1999, as published: eleven patterns (absence, existence, existence at most twice,
// universality, precedence, response, precedence chains 2-1 and 1-2, response chains 2-1 and 1-2,
// constrained chain) times five scopes. What the catalogue gets wrong stays wrong here.
inline constexpr std::array<std::string_view, 55> kDwyerAvruninCorbett = {
    "G!p",
    "Fr -> (!p U r)",
    "G(q -> G!p)",
    "G((q & !r & Fr) -> (!p U r))",
    "G(q & !r -> (!p W r))",

    "Fp",
    "!r W (p & !r)",
    "G!q | F(q & Fp)",
    "G(q & !r -> (!r W (p & !r)))",
    "G(q & !r -> (!r U (p & !r)))",

    "!p W (p W (!p W (p W G!p)))",
    "Fr -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p U r)))))))))",
    "Fq -> (!q U (q & (!p W (p W (!p W (p W G!p))))))",
    "G((q & Fr) -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U "
    "(r | (!p U r))))))))))",
    "G(q -> ((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U "
    "(r | (!p W r) | Gp)))))))))",

    "Gp",
    "Fr -> (p U r)",
    "G(q -> Gp)",
    "G((q & !r & Fr) -> (p U r))",
    "G(q & !r -> (p W r))",

    "!p W s",
    "Fr -> (!p U (s | r))",
    "G!q | F(q & (!p W s))",
    "G((q & !r & Fr) -> (!p U (s | r)))",
    "G(q & !r -> (!p W (s | r)))",

    "G(p -> Fs)",
    "Fr -> ((p -> (!r U (s & !r))) U r)",
    "G(q -> G(p -> Fs))",
    "G((q & !r & Fr) -> ((p -> (!r U (s & !r))) U r))",
    "G(q & !r -> ((p -> (!r U (s & !r))) W r))",

    "Fp -> (!p U (s & !p & X(!p U t)))",
    "Fr -> (!p U (r | (s & !p & X(!p U t))))",
    "G!q | (!q U (q & (Fp -> (!p U (s & !p & X(!p U t))))))",
    "G((q & Fr) -> (!p U (r | (s & !p & X(!p U t)))))",
    "G(q -> (Fp -> (!p U (r | (s & !p & X(!p U t))))))",

    "F(s & XFt) -> (!s U p)",
    "Fr -> (!(s & !r & X(!r U (t & !r))) U (r | p))",
    "G!q | (!q U (q & (F(s & XFt) -> (!s U p))))",
    "G((q & Fr) -> (!(s & !r & X(!r U (t & !r))) U (r | p)))",
    "G(q -> ((!(s & !r & X(!r U (t & !r))) U (r | p)) | G!(s & XFt)))",

    "G(s & XFt -> XF(t & Fp))",
    "Fr -> ((s & X(!r U t) -> X(!r U (t & Fp))) U r)",
    "G(q -> G(s & XFt -> X(!t U (t & Fp))))",
    "G((q & Fr) -> ((s & X(!r U t) -> X(!r U (t & Fp))) U r))",
    "G(q -> ((s & X(!r U t) -> X(!r U (t & Fp))) U (r | G(s & X(!r U t) -> X(!r U (t & Fp))))))",

    "G(p -> F(s & XFt))",
    "Fr -> ((p -> (!r U (s & !r & X(!r U t)))) U r)",
    "G(q -> G(p -> (s & XFt)))",
    "G((q & Fr) -> ((p -> (!r U (s & !r & X(!r U t)))) U r))",
    "G(q -> ((p -> (!r U (s & !r & X(!r U t)))) U (r | G(p -> (s & XFt)))))",

    "G(p -> F(s & !z & X(!z U t)))",
    "Fr -> ((p -> (!r U (s & !r & !z & X((!r & !z) U t)))) U r)",
    "G(q -> G(p -> (s & !z & X(!z U t))))",
    "G((q & Fr) -> ((p -> (!r U (s & !r & !z & X((!r & !z) U t)))) U r))",
    "G(q -> ((p -> (!r U (s & !r & !z & X((!r & !z) U t)))) U (r | G(p -> (s & !z & X(!z U t))))))",
};

// Etessami, Holzmann, Optimizing Büchi automata, CONCUR 2000.
inline constexpr std::array<std::string_view, 12> kEtessamiHolzmann = {
    "a U (b & Gc)",
    "a U (b & X(c U d))",
    "a U (b & X(c & F(d & XF(e & XF(f & XFg)))))",
    "F(a & XGb)",
    "F(a & X(b & XFc))",
    "F(a & X(b U c))",
    "FGa | GFb",
    "G(a -> (b U c))",
    "G(a & XF(b & XF(c & XFd)))",
    "GFa & GFb & GFc & GFd & GFe",
    "(a U (b U c)) | (b U (c U a)) | (c U (a U b))",
    "G(a -> (b U (Gc | Gd)))",
};

// Somenzi, Bloem, Efficient Büchi automata from LTL formulae, CAV 2000, without the two that are
// true or false.
inline constexpr std::array<std::string_view, 25> kSomenziBloem = {
    "p U q",
    "p U (q U r)",
    "!(p U (q U r))",
    "GFp -> GFq",
    "Fp U Gq",
    "Gp U q",
    "!(GFp -> GFq)",
    "!(GFp <-> GFq)",
    "p R (p | q)",
    "(Xp U q) | !X(p U (p & q))",
    "G(p -> Fq) & ((Xp U q) | !X(p U (p & q)))",
    "G(p -> Fq) & ((Xp U Xq) | !X(p U q))",
    "G(p -> Fq)",
    "!G(p -> X(q R r))",
    "!(GFp | FGq)",
    "G(Fp & Fq)",
    "Fp & F!p",
    "(Xq & r) R X(((s U p) R r) U (s R r))",
    "(G(q | GFp) & G(r | GF!p)) | Gq | Gr",
    "(G(q | FGp) & G(r | FG!p)) | Gq | Gr",
    "!((G(q | GFp) & G(r | GF!p)) | Gq | Gr)",
    "!((G(q | FGp) & G(r | FG!p)) | Gq | Gr)",
    "G(q | XGp) & G(r | XG!p)",
    "G(q | (Xp & X!p))",
    "(p U p) | (q U p)",
};

}  // namespace whittle::test
