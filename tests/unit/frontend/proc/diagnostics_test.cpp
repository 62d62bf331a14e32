// SPDX-License-Identifier: Apache-2.0
// Every message about PROC programs, with its place; each has a hint.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/load.h"

namespace whittle {
namespace {

using test::load;
using test::Loaded;
using Places = std::vector<std::string>;

Loaded program(const std::string& text) { return load("proc", text, "program.proc"); }

// Declarations from line 4 on, in a program with N, x, b, a and a family P.
void declared(const std::string& lines, const Places& places) {
  const Loaded loaded = program(
      "program p const N = 2\nshared x: Int = 0 shared b: Bool = false shared a: Int[N] = 0\n"
      "process P[t: 0..1] { var n: Int = 0; l: n := x; b := a[t] == n; }\n" +
      lines + "\n");
  EXPECT_EQ(loaded.places(), places) << lines << "\n" << loaded.messages();
  for (const Diagnostic& d : loaded.diagnostics.all()) {
    EXPECT_NE(d.hint, "") << d.id << ": " << d.message;
    EXPECT_EQ(d.severity == Severity::Error, loaded.network == nullptr) << d.id;
  }
}

// Statements of a process of its own, from line 5 on.
void stated(const std::string& lines, const Places& places) {
  declared("process Q { var m: Int = 0; var f: Bool = false;\n" + lines + "\n}", places);
}

TEST(ProcDiagnostics, Names) {
  declared("shared x: Int = 1", {"proc-001 4:8"});
  declared("const N = 3", {"proc-001 4:7"});
  declared("process P { skip; }", {"proc-001 4:9"});
  declared("property q: true\nproperty q: true", {"proc-001 5:10"});
  stated("k: skip;\nk: skip;", {"proc-001 6:1"});
  stated("m := z;", {"proc-002 5:6"});
  stated("z := 1;", {"proc-002 5:1"});
  stated("m := n;", {"proc-002 5:6"});
  declared("property q: P[0].k == 0", {"proc-003 4:13"});
  declared("property q: P.n == 0", {"proc-004 4:13"});
  declared("property q: P[2].n == 0", {"proc-004 4:13"});
  declared("property q: P[x].n == 0", {"proc-004 4:13"});
  declared("property q: P[0]@k", {"proc-005 4:13"});
  declared("process Q { var x: Int = 0; skip; }", {"proc-013 4:17"});
}

TEST(ProcDiagnostics, Places) {
  stated("m + 1 := 2;", {"proc-006 5:1"});
  stated("N := 1;", {"proc-007 5:1"});
  declared("process R[k: 0..1] {\n  k := 1; }", {"proc-007 5:3"});
  stated("a := 1;", {"proc-008 5:1"});
  stated("x[0] := 1;", {"proc-008 5:1"});
  stated("lock 1;", {"proc-006 5:6"});
  stated("unlock a;", {"proc-008 5:8"});
}

TEST(ProcDiagnostics, HabitsOfOtherLanguages) {
  stated("x = 1;\na[x + a[0]] = 2;\nasert x == 1;\nbreak;\nx := 2;",
         {"parse-001 5:3", "parse-001 6:13", "parse-001 7:1", "parse-001 8:1"});
  const Loaded loaded =
      program("program p shared x: Int = 0\nprocess P { x = 1; whlie (true) {} }");
  EXPECT_NE(loaded.messages().find("an assignment is written `x := e;`"), std::string::npos);
  EXPECT_NE(loaded.messages().find("did you mean `while`?"), std::string::npos);
}

TEST(ProcDiagnostics, AtomicBlocks) {
  stated("atomic { while (f) { skip; } }", {"proc-009 5:10"});
  stated("atomic { return; }", {"proc-009 5:10"});
  stated("atomic { atomic { skip; } }", {"proc-009 5:10"});
  stated("atomic { k: skip; }", {"proc-009 5:10"});
  stated("atomic { m := 1; assume f; }", {"proc-009 5:18"});
  stated("atomic { m := 1; lock b; }", {"proc-009 5:18"});
  stated("atomic { assume f; m := 1; }", {});
  stated("atomic { lock b; m := 1; }", {});
  std::string many = "atomic {\n";
  for (int i = 0; i < 24; ++i) many += "if (*) { m := m + 1; } else { m := m + 2; }\n";
  const Loaded loaded = program("program p\nprocess Q { var m: Int = 0;\n" + many + "}}\n");
  EXPECT_EQ(loaded.places(), Places{"proc-010 3:1"}) << loaded.messages();
}

TEST(ProcDiagnostics, ArraysFamiliesAndFirstValues) {
  declared("shared c: Int[0] = 0 property q: c[0] == 0", {"proc-011 4:15"});
  declared("shared c: Int[0 - 1] = 0 property q: c[0] == 0", {"proc-011 4:15"});
  declared("process R[k: 3..2] { skip; }", {"proc-012 4:14"});
  declared("init x == 1", {"proc-014 4:6"});
  declared("init x == 0", {});
  declared("shared unused: Int = 0", {"proc-020 4:8"});
  EXPECT_EQ(program("program p\nshared x: Int = 0\nproperty q: x == 0\n").places(),
            Places{"proc-021 1:9"});
}

TEST(ProcDiagnostics, ConditionsThatContradictThemselves) {
  declared("process R { if (x > 3 && x < 2) { skip; } }", {"proc-022 4:17"});
  declared("process R { assume x == 1 && !(x > 0); }", {"proc-022 4:20"});
  declared("process R { while (x > 1 && x < 3) { skip; } }", {});
  declared("process R { if (false) { skip; } }", {});
  // For one process of the family only, and for all.
  declared("process R[k: 0..1] { if (x == 0 && x == k) { skip; } }", {});
  declared("process R[k: 0..1] { if (x == 2 && x == k) { skip; } }", {"proc-022 4:26"});
}

TEST(ProcDiagnostics, AllOfAStageAtOnce) {
  stated("m := z;\nN := 1;\natomic { return; }\nm := y;",
         {"proc-002 5:6", "proc-007 6:1", "proc-009 7:10", "proc-002 8:6"});
}

}  // namespace
}  // namespace whittle
