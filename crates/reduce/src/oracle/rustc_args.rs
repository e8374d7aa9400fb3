//! The options of rustc that take a value, and the arguments of rustc adapted to a check: those that would write elsewhere or change
//! the form of diagnostics are removed, and paths become absolute, as every check has its own current folder.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// An option of rustc with a value, which may be the next word.
pub(crate) struct ValueOption {
    long: &'static str,
    /// Empty where it has none.
    short: &'static str,
    /// Whether it belongs to a program. Otherwise it says how the compiler is called, whatever the program is.
    is_of_program: bool,
    /// Whether a check has it with another value, or not at all.
    is_adapted: bool,
    pub(crate) in_header: InHeader,
}

/// The values of an option that a header may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum InHeader {
    /// Any: it is text to rustc.
    Any,
    /// Those that name no path.
    WithoutPath,
    None,
}

const fn of_program(long: &'static str, short: &'static str, in_header: InHeader) -> ValueOption {
    ValueOption { long, short, is_of_program: true, is_adapted: false, in_header }
}

const fn of_caller(long: &'static str, short: &'static str, in_header: InHeader) -> ValueOption {
    ValueOption { is_of_program: false, ..of_program(long, short, in_header) }
}

impl ValueOption {
    const fn adapted(self) -> Self {
        Self { is_adapted: true, ..self }
    }

    /// Its short name, or else the long one.
    pub(crate) fn name(&self) -> &'static str {
        if self.short.is_empty() { self.long } else { self.short }
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        [self.long, self.short].into_iter().filter(|name| !name.is_empty())
    }

    /// The option that a word is, and its value if it is in the same word.
    pub(crate) fn read(word: &str) -> Option<(&'static Self, Option<&str>)> {
        OPTIONS.iter().find_map(|option| {
            let value = option.names().find_map(|name| match word.strip_prefix(name)? {
                "" => Some(None),
                value if name.starts_with("--") => Some(Some(value.strip_prefix('=')?)),
                value => Some(Some(value)),
            });
            Some((option, value?))
        })
    }
}

static OPTIONS: [ValueOption; 30] = [
    of_program("--allow", "-A", InHeader::Any),
    of_program("--cap-lints", "", InHeader::WithoutPath),
    of_program("--cfg", "", InHeader::Any),
    of_program("--check-cfg", "", InHeader::Any),
    of_program("--codegen", "-C", InHeader::WithoutPath).adapted(),
    of_caller("--color", "", InHeader::WithoutPath).adapted(),
    of_caller("--crate-name", "", InHeader::WithoutPath).adapted(),
    of_caller("--crate-type", "", InHeader::WithoutPath),
    of_program("--deny", "-D", InHeader::Any),
    of_caller("--diagnostic-width", "", InHeader::WithoutPath).adapted(),
    of_program("--edition", "", InHeader::WithoutPath).adapted(),
    of_caller("--emit", "", InHeader::WithoutPath).adapted(),
    of_program("--env-set", "", InHeader::Any),
    of_caller("--error-format", "", InHeader::WithoutPath).adapted(),
    of_caller("--explain", "", InHeader::WithoutPath),
    of_program("--extern", "", InHeader::WithoutPath).adapted(),
    of_program("--forbid", "-F", InHeader::Any),
    of_program("--force-warn", "", InHeader::Any),
    of_caller("--json", "", InHeader::WithoutPath).adapted(),
    of_caller("--out-dir", "", InHeader::None).adapted(),
    of_caller("--print", "", InHeader::WithoutPath),
    of_program("--remap-path-prefix", "", InHeader::Any),
    of_program("--remap-path-scope", "", InHeader::Any),
    of_caller("--sysroot", "", InHeader::None).adapted(),
    of_program("--target", "", InHeader::WithoutPath).adapted(),
    of_program("--warn", "-W", InHeader::Any),
    of_program("", "-L", InHeader::None).adapted(),
    of_program("", "-Z", InHeader::WithoutPath),
    of_caller("", "-l", InHeader::WithoutPath),
    of_caller("", "-o", InHeader::None).adapted(),
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
        let Some((option, mut value)) = ValueOption::read(text).filter(|(option, _)| option.is_adapted) else {
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
        adapted.extend(with_value(option.name(), value, folder));
    }
    adapted
}

/// The arguments that belong to the program, each in one word; and the others.
pub(crate) fn split(args: &[OsString]) -> (Vec<String>, Vec<OsString>) {
    let (mut of_program, mut others) = (Vec::new(), Vec::new());
    let mut args = args.iter().peekable();
    while let Some(arg) = args.next() {
        let Some(text) = arg.to_str().filter(|text| text.starts_with('-') && text.len() > 1 && *text != "--") else {
            others.push(arg.clone());
            continue;
        };
        let option = ValueOption::read(text);
        let value =
            option.filter(|(_, value)| value.is_none()).and_then(|_| args.next_if(|value| value.to_str().is_some()));
        if option.is_some_and(|(option, _)| !option.is_of_program) {
            others.extend([arg].into_iter().chain(value).cloned());
            continue;
        }
        let between = if text.starts_with("--") { "=" } else { "" };
        let value = value.map(|value| format!("{between}{}", value.to_string_lossy()));
        of_program.push(format!("{text}{}", value.unwrap_or_default()));
    }
    (of_program, others)
}

/// The arguments, an option together with the value that follows it.
pub(crate) fn grouped(args: &[OsString]) -> Vec<&[OsString]> {
    let (mut groups, mut rest) = (Vec::new(), args);
    while let Some(first) = rest.first() {
        let takes_next = first.to_str().and_then(ValueOption::read).is_some_and(|(_, value)| value.is_none());
        let (group, others) = rest.split_at(rest.len().min(1 + usize::from(takes_next)));
        groups.push(group);
        rest = others;
    }
    groups
}

/// Whether an option is among the arguments, given as `--name value` or `--name=value`.
pub(crate) fn has(args: &[OsString], name: &str) -> bool {
    let mut rests = args.iter().filter_map(|arg| arg.to_str()?.strip_prefix(name));
    rests.any(|rest| rest.is_empty() || rest.starts_with('='))
}

/// The value of an option, given as `--name value` or `--name=value`.
pub(crate) fn value<'a>(args: &'a [OsString], name: &str) -> Option<&'a str> {
    args.iter().enumerate().find_map(|(at, arg)| match arg.to_str()?.strip_prefix(name)? {
        "" => args.get(at + 1)?.to_str(),
        rest => rest.strip_prefix('='),
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
