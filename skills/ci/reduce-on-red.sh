#!/bin/sh
# Runs the tests of a package. Where some fail, `cargo mcve` reduces each of them to a small program and a page about it.
#
#     sh reduce-on-red.sh [OPTIONS OF CARGO TEST]      such as: --workspace --all-features
#
# The exit code is that of `cargo test`. Nothing is written unless it fails. These variables have defaults:
#
#     REDUCE_DIR=reduced     where the results go: NAME.rs (or a folder NAME for a package) and NAME.html
#     REDUCE_MAX=3           how many failing tests are reduced
#     REDUCE_BUDGET=5m       the time for each of them
#     REDUCE_OPTIONS=        more options for `cargo mcve`, such as: --sandbox off
set -u
folder=${REDUCE_DIR:-reduced}
max=${REDUCE_MAX:-3}
budget=${REDUCE_BUDGET:-5m}

for option do
    if [ "$option" = -- ]; then
        echo "reduce-on-red.sh takes the options of cargo only, and none behind --" >&2
        exit 2
    fi
done

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Without colours, as the output is read below. It is shown while it comes.
{ CARGO_TERM_COLOR=never cargo test --no-fail-fast "$@" 2>&1; echo $? > "$work/code"; } | tee "$work/log"
code=$(cat "$work/code")
[ "$code" -eq 0 ] && exit 0

# reduce NAME ARGUMENTS: the arguments are those of `cargo mcve test`. A package that somebody else wrote may have an alias
# `cargo mcve`, so cargo is not asked for the command.
reduce() {
    result=$folder/$1
    shift
    mkdir -p "$folder"
    # The options are several words.
    # shellcheck disable=SC2086
    cargo-mcve mcve test --budget "$budget" -o "$result.rs" --html "$result.html" ${REDUCE_OPTIONS:-} "$@" < /dev/null
    ended=$?
    rmdir "$folder" 2> /dev/null # It is empty where nothing could be reduced.
    if [ $ended -ne 0 ]; then
        echo "reduce-on-red: cargo mcve ended with $ended" >&2
    elif [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$result.rs" ]; then
        { printf '### %s\n\n````rust\n' "$(basename "$result")"; cat "$result.rs"; printf '````\n\n'; } >> "$GITHUB_STEP_SUMMARY"
    fi
}

# A line for each test that failed: the options that choose its target, a tab, its name. There is no name where a test
# program ended without a list of failures, and for documentation, as rustdoc takes no names with spaces.
awk '
    /^failures:$/ { list = 1; count = 0; next }
    list && /^    / { names[count++] = substr($0, 5); next }
    { list = 0 }
    /^error: (doc)?test failed, to rerun pass `/ {
        target = $0
        sub(/^[^`]*`/, "", target)
        sub(/`.*$/, "", target)
        if (count == 0 || target ~ /--doc/) print target "\t"
        else for (i = 0; i < count; i++) print target "\t" names[i]
        count = 0
    }
' "$work/log" > "$work/failed"

if [ ! -s "$work/failed" ]; then
    echo "reduce-on-red: no test ran" >&2
    reduce error "$@"
    exit "$code"
fi

# The options of the user that choose targets give way to those of the test.
for option do
    shift
    case $option in
        --workspace | --all | --all-targets | --lib | --bins | --tests | --examples | --benches | --doc) ;;
        *) set -- "$@" "$option" ;;
    esac
done

all=$(wc -l < "$work/failed")
[ "$all" -gt "$max" ] && echo "reduce-on-red: $all tests fail, of which $max are reduced (REDUCE_MAX)" >&2
head -n "$max" "$work/failed" | while IFS="$(printf '\t')" read -r target name; do
    file=$(printf '%s %s' "$target" "$name" | sed 's/[^A-Za-z0-9_][^A-Za-z0-9_]*/-/g; s/^-//; s/-$//')
    echo "reduce-on-red: $target $name" >&2
    # The target is several words.
    # shellcheck disable=SC2086
    if [ -n "$name" ]; then
        reduce "$file" "$name" "$@" $target -- --exact
    else
        reduce "$file" "$@" $target
    fi
done
exit "$code"
