//! Adapts the arguments of rustc to a check. Those that would write elsewhere or change the form of diagnostics are removed, and
//! paths become absolute, as every check has its own current folder.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Options whose value may be the next word, by their name and the letter that stands for it.
const WITH_VALUE: [(&str, &str); 13] = [
    ("--color", ""),
    ("--crate-name", ""),
    ("--diagnostic-width", ""),
    ("--edition", ""),
    ("--json", ""),
    ("--codegen", "-C"),
    ("--emit", ""),
    ("--error-format", ""),
    ("--extern", ""),
    ("--out-dir", ""),
    ("--sysroot", ""),
    ("--target", ""),
    ("", "-L"),
];

/// The arguments as a check passes them. Relative paths are in `folder`.
pub(crate) fn adapt(args: &[OsString], folder: &Path) -> Vec<OsString> {
    let mut adapted = Vec::with_capacity(args.len());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let Some(text) = arg.to_str() else {
            adapted.push(arg.clone());
            continue;
        };
        if let Some(path) = text.strip_prefix('@') {
            adapted.push(joined("@", folder, path));
            continue;
        }
        let Some((name, mut value)) = option(text) else {
            adapted.push(arg.clone());
            continue;
        };
        if value.is_none() {
            value = args.next().and_then(|next| next.to_str());
        }
        let Some(value) = value else {
            adapted.push(arg.clone());
            continue;
        };
        adapted.extend(with_value(name, value, folder));
    }
    adapted
}

/// Options whose value may be the next word and that belong to a program, in their long form and in a short one.
const OF_PROGRAM: [(&str, &str); 16] = [
    ("--cfg", ""),
    ("--check-cfg", ""),
    ("--edition", ""),
    ("--extern", ""),
    ("--cap-lints", ""),
    ("--allow", "-A"),
    ("--warn", "-W"),
    ("--deny", "-D"),
    ("--forbid", "-F"),
    ("--force-warn", ""),
    ("--codegen", "-C"),
    ("--target", ""),
    ("--remap-path-prefix", ""),
    ("--env-set", ""),
    ("", "-L"),
    ("", "-Z"),
];

/// Options that say how the compiler is called, whatever the program is.
const OF_CALLER: [&str; 9] =
    ["--emit", "--crate-type", "--crate-name", "--sysroot", "--print", "--color", "--diagnostic-width", "--json", "-l"];

/// The arguments that belong to the program, each in one word; and the others.
pub(crate) fn split(args: &[OsString]) -> (Vec<String>, Vec<OsString>) {
    let (mut of_program, mut others) = (Vec::new(), Vec::new());
    let mut args = args.iter().peekable();
    while let Some(arg) = args.next() {
        let Some(text) = arg.to_str().filter(|text| text.starts_with('-') && text.len() > 1 && *text != "--") else {
            others.push(arg.clone());
            continue;
        };
        if let Some(name) = OF_CALLER.iter().find(|name| text.starts_with(**name)) {
            others.push(arg.clone());
            others.extend(args.next_if(|_| text == *name).cloned());
            continue;
        }
        let takes = |name: &&(&str, &str)| text == name.0 || text == name.1;
        match OF_PROGRAM.iter().find(takes).and_then(|_| args.next_if(|value| value.to_str().is_some())) {
            Some(value) => {
                let between = if text.starts_with("--") { "=" } else { "" };
                of_program.push(format!("{text}{between}{}", value.to_string_lossy()));
            }
            None => of_program.push(text.to_owned()),
        }
    }
    (of_program, others)
}

/// Whether an option is among the arguments, given as `--name value` or `--name=value`.
pub(crate) fn has(args: &[OsString], name: &str) -> bool {
    args.iter().any(|arg| {
        let rest = arg.to_str().and_then(|arg| arg.strip_prefix(name));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    })
}

/// The value of an option, given as `--name value` or `--name=value`.
pub(crate) fn value<'a>(args: &'a [OsString], name: &str) -> Option<&'a str> {
    args.iter().enumerate().find_map(|(at, arg)| match arg.to_str()?.strip_prefix(name)? {
        "" => args.get(at + 1)?.to_str(),
        rest => rest.strip_prefix('='),
    })
}

/// The name of an option that takes a value, and the value if it is in the same word.
fn option(arg: &str) -> Option<(&'static str, Option<&str>)> {
    if let Some(value) = arg.strip_prefix("-o") {
        return Some(("-o", (!value.is_empty()).then_some(value)));
    }
    WITH_VALUE.iter().find_map(|&(long, short)| {
        let name = if short.is_empty() { long } else { short };
        if !short.is_empty()
            && let Some(value) = arg.strip_prefix(short)
        {
            return Some((name, (!value.is_empty()).then_some(value)));
        }
        if long.is_empty() {
            return None;
        }
        match arg.strip_prefix(long)? {
            "" => Some((name, None)),
            value => Some((name, Some(value.strip_prefix('=')?))),
        }
    })
}

/// An option and its value; none if a check must not have it.
fn with_value(name: &str, value: &str, folder: &Path) -> Option<OsString> {
    let glued = |value: &str| OsString::from(format!("{name}={value}"));
    Some(match name {
        "-o" | "--out-dir" | "--error-format" => return None,
        "--emit" => {
            let kinds = value.split(',').map(|kind| kind.split_once('=').map_or(kind, |(kind, _)| kind));
            glued(&kinds.collect::<Vec<_>>().join(","))
        }
        "--extern" => match value.split_once('=') {
            Some((krate, path)) => joined(&format!("--extern={krate}="), folder, path),
            None => glued(value),
        },
        "--sysroot" => joined("--sysroot=", folder, value),
        "--target" if value.ends_with(".json") => joined("--target=", folder, value),
        "-L" => match value.split_once('=') {
            Some((kind, path)) => joined(&format!("-L{kind}="), folder, path),
            None => joined("-L", folder, value),
        },
        "-C" => match value.split_once('=') {
            // In the check's own folder.
            Some(("incremental", _)) => "-Cincremental=incremental".into(),
            Some(("linker", path)) if path.contains('/') => joined("-Clinker=", folder, path),
            _ => format!("-C{value}").into(),
        },
        _ => glued(value),
    })
}

fn joined(before: &str, folder: &Path, path: impl AsRef<OsStr>) -> OsString {
    let mut arg = OsString::from(before);
    arg.push(folder.join(path.as_ref()));
    arg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(args: &str, expected: &str) {
        let args: Vec<OsString> = args.split(' ').map(OsString::from).collect();
        let adapted = adapt(&args, Path::new("/here"));
        assert_eq!(adapted.join(OsStr::new(" ")), expected);
    }

    #[test]
    fn most_arguments_stay() {
        for args in ["-O", "--edition=2021 --test", "-Zthreads=2", "--cfg x", "--crate-type lib", "-", "--"] {
            check(args, args);
        }
        check("-C opt-level=3 -Cdebuginfo=0 --codegen lto -g", "-Copt-level=3 -Cdebuginfo=0 -Clto -g");
        check("--extern proc_macro --target x86_64", "--extern=proc_macro --target=x86_64");
        check("--edition 2021 --color always", "--edition=2021 --color=always");
        check("-C", "-C");
    }

    #[test]
    fn what_would_write_elsewhere_goes() {
        check("-o a -O", "-O");
        check("-oa -O", "-O");
        check("--out-dir /tmp -O --out-dir=x", "-O");
        check("-O -C incremental=/i", "-O -Cincremental=incremental");
        check("--emit=metadata=/dev/null,obj", "--emit=metadata,obj");
        check("--emit link=x", "--emit=link");
    }

    #[test]
    fn the_form_of_the_diagnostics_is_ours() {
        check("--error-format short -O --error-format=human", "-O");
    }

    #[test]
    fn paths_become_absolute() {
        check("--extern a=t/liba.rlib --extern=b=/b.rlib", "--extern=a=/here/t/liba.rlib --extern=b=/b.rlib");
        check("-L t -Ldependency=t -L native=/n", "-L/here/t -Ldependency=/here/t -Lnative=/n");
        check("@args --sysroot s --target a.json", "@/here/args --sysroot=/here/s --target=/here/a.json");
        check("-Clinker=./cc -Clinker=clang", "-Clinker=/here/./cc -Clinker=clang");
    }

    #[test]
    fn arguments_of_the_program_are_words_of_their_own() {
        let args =
            "--edition 2018 -Copt-level=2 -C debuginfo=1 --cfg a --crate-type lib --emit=obj -A unused --test - -g";
        let args: Vec<OsString> = args.split(' ').map(OsString::from).collect();
        let (of_program, others) = split(&args);
        assert_eq!(
            of_program,
            ["--edition=2018", "-Copt-level=2", "-Cdebuginfo=1", "--cfg=a", "-Aunused", "--test", "-g"]
        );
        assert_eq!(others, ["--crate-type", "lib", "--emit=obj", "-"].map(OsString::from));
    }

    #[test]
    fn an_option_is_found_in_both_spellings() {
        let args = ["--emit=obj", "--edition", "2021", "--testing"].map(OsString::from);
        assert_eq!(["--emit", "--edition", "--test"].map(|name| has(&args, name)), [true, true, false]);
        let values = ["--emit", "--edition", "--testing"].map(|name| value(&args, name));
        assert_eq!(values, [Some("obj"), Some("2021"), None]);
    }
}
