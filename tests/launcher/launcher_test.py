#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the launcher ./whittle in a small tree where shell scripts play cmake, ninja, dpkg and
apt, so that they take no time and install nothing."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from findings import run_unittests  # noqa: E402

TOOLS = {
    "cmake": """
        echo cmake "$@" >>"$LOG"
        mkdir -p build/release
        touch build/release/build.ninja
        echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/release/CMakeCache.txt
    """,
    "ninja": """
        echo ninja begin >>"$LOG"
        sleep "${NINJA_SECONDS:-0}"
        echo '@1/4@Building x.o'
        echo '@3/4@Building y.o'
        if [ "${NINJA_FAILS:-}" ]; then echo 'x.cpp:1:1: error: oops'; exit 1; fi
        for name; do
          printf '#!/bin/sh\\nprintf "[%%s]" "$PWD" "$@"\\nexit 3\\n' >"$name"
          chmod +x "$name"
        done
        echo ninja end >>"$LOG"
    """,
    "dpkg-query": """
        echo dpkg-query >>"$LOG"
        shift 3
        for name; do [ "$name" = "${MISSING:-}" ] || echo "$name installed"; done
    """,
    "apt-get": """
        echo apt-get "$@" >>"$LOG"
        exit "${APT_EXIT:-0}"
    """,
    "sudo": """
        [ "$1" = -n ] && shift
        exec "$@"
    """,
}


class Launcher(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        top = Path(self.folder.name)
        top.chmod(0o755)
        self.tree = top / "a tree"
        (self.tree / "scripts").mkdir(parents=True)
        for name in ("src", "apps"):
            (self.tree / name).mkdir()
        for name in ("whittle", "scripts/setup.sh", "scripts/packages.txt", "CMakeLists.txt",
                     "CMakePresets.json"):
            shutil.copy(ROOT / name, self.tree / name)
        (self.tree / "src/x.cpp").write_text("")
        self.bin = top / "bin"
        self.bin.mkdir()
        for name, body in TOOLS.items():
            self.add_tool(name, body)
        self.log = top / "log"
        self.log.write_text("")

    def tearDown(self):
        self.folder.cleanup()

    def add_tool(self, name, body):
        (self.bin / name).write_text("#!/bin/sh\n" + body)
        (self.bin / name).chmod(0o755)

    def command(self, *arguments, program=None):
        return [str(program or self.tree / "whittle"), *arguments]

    def environment(self, settings):
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("WHITTLE_")}
        return {**inherited, "PATH": f"{self.bin}:{os.environ['PATH']}", "LOG": str(self.log),
                **settings}

    def start(self, *arguments, program=None, cwd=None, prefix=(), **settings):
        return subprocess.run([*prefix, *self.command(*arguments, program=program)],
                              cwd=cwd or self.tree, env=self.environment(settings),
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)

    def logged(self):
        text = self.log.read_text()
        self.log.write_text("")
        return text.splitlines()

    def test_first_start_builds_and_runs(self):
        done = self.start("check", "a file")
        self.assertEqual(done.stdout, f"[{self.tree}][check][a file]")
        self.assertEqual(done.returncode, 3)
        self.assertIn("building", done.stderr)

    def test_second_start_does_nothing_else(self):
        self.start()
        self.logged()
        done = self.start("x")
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.logged(), [])

    def test_builds_after_changes(self):
        self.start()
        for change in (lambda: (self.tree / "src/y.cpp").write_text(""),
                       lambda: (self.tree / "src/y.cpp").write_text("// more"),
                       lambda: (self.tree / "src/y.cpp").unlink(),
                       lambda: (self.tree / "CMakeLists.txt").write_text("")):
            self.logged()
            change()
            self.start()
            self.assertIn("ninja end", self.logged())

    def test_benchmarks_are_built_when_asked_for(self):
        self.start("check")
        self.assertFalse((self.tree / "build/release/whittle-bench").exists())
        done = self.start("bench", "expr")
        self.assertEqual(done.stdout, f"[{self.tree}][expr]")
        self.logged()
        self.assertEqual(self.start("bench").stdout, f"[{self.tree}]")
        self.assertEqual(self.start("x").stdout, f"[{self.tree}][x]")
        self.assertEqual(self.logged(), [])

    def test_says_how_far_it_is(self):
        done = self.start(WHITTLE_SECONDS_BETWEEN_LINES="0")
        self.assertIn("whittle: building (release): 75 %\n", done.stderr)
        self.assertEqual(self.how_far(1, 4, 5), "25 %")
        self.assertEqual(self.how_far(1, 4, 40), "25 %, about 2 minutes left")
        self.assertEqual(self.how_far(3, 4, 60), "75 %, about a minute left")
        self.assertEqual(self.how_far(0, 4, 60), "0 %")

    def how_far(self, *arguments):
        command = 'root=.; . "$0"; how_far "$@"'
        return subprocess.run(
            ["bash", "-c", command, str(ROOT / "scripts/setup.sh"), *map(str, arguments)],
            capture_output=True, text=True, check=True).stdout

    def test_failed_build(self):
        self.start()
        (self.tree / "src/x.cpp").write_text("oops")
        done = self.start(NINJA_FAILS="1")
        self.assertEqual(done.returncode, 5)
        self.assertEqual(done.stdout, "")
        self.assertIn("x.cpp:1:1: error: oops", done.stderr)
        self.assertEqual(self.start().returncode, 3)  # and the next start tries again

    def test_from_elsewhere_and_through_links(self):
        link = Path(self.folder.name) / "link"
        link.symlink_to("a tree/whittle")
        second = self.bin / "w"
        second.symlink_to(link)
        for program in (link, second):
            done = self.start("f", program=program, cwd="/")
            self.assertEqual(done.stdout, "[/][f]")
        self.assertEqual(self.start("f", program="w").stdout, f"[{self.tree}][f]")

    def test_installs_missing_package(self):
        done = self.start(MISSING="libppl-dev")
        self.assertIn("installing Debian packages: libppl-dev\n", done.stderr)
        installs = [line for line in self.logged() if line.startswith("apt-get") and "install" in line]
        self.assertEqual(len(installs), 1)
        self.assertTrue(installs[0].endswith(" libppl-dev"))
        self.assertEqual(done.returncode, 3)

    def test_cannot_install(self):
        done = self.start(MISSING="libppl-dev", APT_EXIT="100")
        self.assertEqual(done.returncode, 5)
        self.assertIn("apt-get install libppl-dev", done.stderr.splitlines()[-1])

    def test_cannot_install_but_was_built(self):
        self.start()
        (self.tree / "src/x.cpp").write_text("// new")
        done = self.start(MISSING="libppl-dev", APT_EXIT="100")
        self.assertEqual(done.returncode, 3)
        self.assertIn("as it was built before", done.stderr)

    def test_asked_not_to_install(self):
        done = self.start(MISSING="libppl-dev", WHITTLE_NO_INSTALL="1")
        self.assertEqual(done.returncode, 3)
        self.assertFalse(any(line.startswith("apt-get") for line in self.logged()))

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "needs root to become nobody")
    def test_without_rights(self):
        self.add_tool("sudo", "exit 1")
        (self.tree / "build").mkdir()
        for path in (self.tree / "build", self.log):
            path.chmod(0o777)
        nobody = ("setpriv", "--reuid=65534", "--clear-groups")
        done = self.start(MISSING="libppl-dev", prefix=nobody)
        self.assertEqual(done.returncode, 5)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("libppl-dev", done.stderr)

    def test_parallel_starts_build_once(self):
        environment = self.environment({"NINJA_SECONDS": "0.3"})
        running = [subprocess.Popen(self.command(str(i)), cwd=self.tree, env=environment,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                   for i in range(3)]
        self.assertEqual([p.communicate()[0] for p in running],
                         [f"[{self.tree}][{i}]" for i in range(3)])
        self.assertEqual(self.logged().count("ninja begin"), 1)

    def test_copied_tree_is_configured_anew(self):
        self.start()
        copy = self.tree.with_name("copy")
        shutil.copytree(self.tree, copy)
        self.logged()
        done = self.start(program=copy / "whittle", cwd=copy)
        self.assertEqual(done.stdout, f"[{copy}]")
        self.assertTrue(any(line.startswith("cmake") for line in self.logged()))


if __name__ == "__main__":
    sys.exit(run_unittests())
