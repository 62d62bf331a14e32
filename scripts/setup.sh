# SPDX-License-Identifier: Apache-2.0
# Packages and builds, for the launchers ./whittle and ./test, which source this file with `root`
# set. Everything here talks on stderr: stdout belongs to the program.

say() { printf 'whittle: %s\n' "$*" >&2; }

# What runs under the lock must not hand the lock's descriptor on to what it leaves behind.
readonly lock_fd=9

# Serialises builds: the second of two parallel starts waits, then finds nothing to do.
lock_build() {
  if ! mkdir -p "$root/build" 2>/dev/null || ! eval "exec $lock_fd>>\"\$root/build/.lock\"" 2>/dev/null; then
    say "cannot write to $root/build"
    return 1
  fi
  flock --nonblock "$lock_fd" && return 0
  say "waiting for another build of this tree to finish ..."
  flock "$lock_fd"
}
unlock_build() { eval "exec $lock_fd>&-"; }

# packages_of GROUP...: their names, one per line.
packages_of() {
  local group package _ wanted=" $* "
  while read -r group package _; do
    [[ $wanted == *" $group "* ]] && printf '%s\n' "$package"
  done <"$root/scripts/packages.txt"
  return 0
}

# missing_packages GROUP...: the names that dpkg does not know as installed.
missing_packages() {
  local package status wanted
  mapfile -t wanted < <(packages_of "$@")
  local -A installed=()
  while read -r package status; do
    [[ $status == installed ]] && installed[$package]=1
  done < <(dpkg-query --show --showformat '${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null)
  for package in "${wanted[@]}"; do
    [[ ${installed[$package]:-} ]] || printf '%s\n' "$package"
  done
}

# install_packages GROUP...: fails with one clear line when something is missing and stays so.
# WHITTLE_NO_INSTALL=1 trusts that what is needed is there in some other form.
install_packages() {
  [[ ${WHITTLE_NO_INSTALL:-} ]] && return 0
  command -v dpkg-query >/dev/null || return 0  # not Debian: CMake says what it does not find
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null || { [[ ! -t 0 ]] && ! sudo -n true 2>/dev/null; }; then
      say "missing Debian packages, and no right to install them; as root: apt-get install ${missing[*]}"
      return 1
    fi
    as_root=(sudo)
  fi
  say "installing Debian packages: ${missing[*]}"
  local log="$root/build/packages.log"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y
    -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)
  # The update may fail (one mirror of several, no network with a full cache); installing decides.
  "${apt[@]}" update >"$log" 2>&1 9>&- </dev/null || true
  if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" >>"$log" 2>&1 9>&- </dev/null; then
    tail -n 5 "$log" >&2
    say "cannot install (see build/packages.log); as root: apt-get install ${missing[*]}"
    return 1
  fi
}

# configured_with VARIANT: the CMake arguments build/VARIANT was configured with; fails if it was not.
configured_with() {
  local _ arguments
  { read -r _ && read -r arguments; } 2>/dev/null <"$root/build/$1/.configured" && printf '%s' "$arguments"
}

# configure VARIANT CMAKE-ARGS...: in build/VARIANT, when it has not been done here, or not with
# these arguments.
configure() {
  local variant=$1 dir="$root/build/$1"
  shift
  local wanted="$root"$'\n'"$*"
  [[ -f $dir/build.ninja && -f $dir/.configured && $(<"$dir/.configured") == "$wanted" ]] && return 0
  # A tree that was copied or moved keeps old absolute names in its cache.
  if [[ -f $dir/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
    rm -rf "$dir"
  fi
  mkdir -p "$dir"
  if ! (cd "$root" && cmake --preset "$variant" "$@") >"$dir/configure.log" 2>&1 9>&-; then
    cat "$dir/configure.log" >&2
    say "configuring build/$variant failed"
    return 1
  fi
  printf '%s\n' "$wanted" >"$dir/.configured"
}

# build VARIANT TARGET...: says that it builds when there is something to build, shows how far it
# is, and the compiler's errors when there are any.
build() {
  local variant=$1 dir="$root/build/$1"
  shift
  (cd "$dir" && NINJA_STATUS='@%f/%t@' ninja "$@" 2>&1 9>&-) | show_progress "$variant" "$dir/build.log"
  local status=${PIPESTATUS[0]}
  if ((status)); then
    # Commands are long, and the errors are what matters; build.log has both.
    grep -vE '^(ninja: |(: && )?[^ ]*/(c\+\+|g\+\+|ccache)[^ ]* )' "$dir/build.log" >&2
    say "the build failed (in $dir)"
  fi
  return "$status"
}

# Without a terminal progress is worth a line that often.
readonly seconds_between_lines=${WHITTLE_SECONDS_BETWEEN_LINES:-20}

# how_far DONE TOTAL SECONDS: "40 %, about 2 minutes left". The first steps say little about the
# others: there is no estimate in the first seconds.
how_far() {
  local left=$((($2 - $1) * $3 / ($1 > 0 ? $1 : 1)))
  printf '%d %%' $(($1 * 100 / ($2 > 0 ? $2 : 1)))
  (($1 > 0 && $3 >= 10)) || return 0
  if ((left < 90)); then
    printf ', about a minute left'
  else
    printf ', about %d minutes left' $(((left + 30) / 60))
  fi
}

# Reads ninja's output: progress to the terminal, or a line now and then; the rest to the log.
show_progress() {
  local line counts done_now total announced='' begun=$SECONDS spoken=$SECONDS
  while IFS= read -r line; do
    case $line in
      @*@Re-checking* | @*@Re-running*) ;;
      @*@*)
        counts=${line#@}
        counts=${counts%%@*}
        done_now=${counts%/*} total=${counts#*/}
        if [[ -t 2 ]]; then
          printf '\r\033[Kwhittle: building (%s) %s' "$1" \
            "$(how_far "$done_now" "$total" $((SECONDS - begun)))" >&2
        elif [[ ! $announced ]]; then
          say "building ($1) ..."
        elif ((SECONDS - spoken >= seconds_between_lines)); then
          say "building ($1): $(how_far "$done_now" "$total" $((SECONDS - begun)))"
          spoken=$SECONDS
        fi
        announced=1
        ;;
      *) printf '%s\n' "$line" ;;
    esac
  done >"$2"
  [[ $announced && -t 2 ]] && printf '\r\033[K' >&2
  return 0
}
