//! Reads the messages of LLVM when it gives up or aborts: its own words and names distinguish its failures.

use super::normalise;

/// Begins the line in which LLVM gives up; what may stand before it.
const ERROR: &str = "LLVM ERROR: ";
const BEFORE: [&str; 3] = ["", "rustc-", "error: rustc-"];

/// The last words of its verifier, whatever it has found: what that is stands in the lines before.
const VERIFIER: &str = "Broken module found";

/// The reason why it gave up, if it did, in `words`.
pub(crate) fn error(plain: &[String], words: fn(&str) -> String) -> Option<String> {
    let (at, said) = plain.iter().enumerate().find_map(|(at, line)| {
        let begin = line.find(ERROR).filter(|begin| BEFORE.contains(&&line[..*begin]))?;
        Some((at, &line[begin + ERROR.len()..]))
    })?;
    let found = plain[..at].rsplit(|line| line.is_empty()).next().and_then(|lines| lines.first());
    let found = found.filter(|_| said.starts_with(VERIFIER));
    let words = found.into_iter().map(|found| words(found)).chain([words(said)]);
    Some(words.collect::<Vec<_>>().join(": "))
}

/// Where and why a compiler aborted: an assertion of LLVM, a place held to be unreachable, or the first line.
pub(crate) fn abort(plain: &[String], words: fn(&str) -> String) -> (Option<String>, String) {
    for (at, line) in plain.iter().enumerate() {
        if let Some((head, assertion)) = line.split_once(": Assertion `") {
            // `rustc: /path/File.cpp:12: type function(..): Assertion ..`
            let place = head.split(": ").nth(1).map(file);
            return (place, format!("Assertion `{assertion}"));
        }
        if let Some(place) = line.strip_prefix("UNREACHABLE executed at ") {
            let why = at.checked_sub(1).map_or_else(String::new, |before| words(&plain[before]));
            return (Some(file(place.trim_end_matches('!'))), why);
        }
    }
    let first = plain.iter().find(|line| !line.trim().is_empty());
    (None, first.map_or_else(String::new, |line| words(line)))
}

/// The words, and the names that are LLVM's own: of intrinsics, and of operations in its selection of instructions.
pub(crate) fn words(said: &str) -> String {
    let names = said.split([' ', ',']).filter(|word| word.starts_with("%llvm.") || word.contains("ISD::"));
    let said = normalise::message(said);
    std::iter::once(said.as_str()).chain(names).collect::<Vec<_>>().join(" ")
}

/// The name of the file and the line, without folders.
fn file(place: &str) -> String {
    place.rsplit('/').next().unwrap_or(place).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_error(expected: Option<&str>, text: &str) {
        let plain: Vec<String> = text.lines().map(str::to_owned).collect();
        assert_eq!(error(&plain, words).as_deref(), expected);
    }

    #[track_caller]
    fn check_abort(place: Option<&str>, expected: &str, text: &str) {
        let plain: Vec<String> = text.lines().map(str::to_owned).collect();
        assert_eq!(abort(&plain, words), (place.map(str::to_owned), expected.to_owned()));
    }

    #[test]
    fn what_the_verifier_found_tells_broken_modules_apart() {
        let broken = "rustc-LLVM ERROR: Broken module found, compilation aborted!\n";
        check_error(
            Some("invalid subrange count: Broken module found, compilation aborted!"),
            &format!("note: unrelated\n\ninvalid subrange count\n!18 = !DISubrange(count: -9)\n{broken}"),
        );
        check_error(
            Some("_ global must have a zero initializer!: Broken module found, compilation aborted!"),
            &format!("'common' global must have a zero initializer!\nptr @TABLE\n{broken}"),
        );
        check_error(Some("Broken module found, compilation aborted!"), broken);
    }

    #[test]
    fn names_of_llvm_tell_what_it_cannot_select() {
        check_error(
            Some("Cannot select: intrinsic _ %llvm.x86.rdpid"),
            "rustc-LLVM ERROR: Cannot select: intrinsic %llvm.x86.rdpid\n",
        );
        check_error(
            Some("Cannot select: _ X86ISD::PEXT"),
            "LLVM ERROR: Cannot select: 0x7f04: i32 = X86ISD::PEXT Constant:i32<0>, 0x7f05\n  0x7f05: i32,ch\n",
        );
    }

    #[test]
    fn it_gives_up_at_the_beginning_of_a_line() {
        check_error(Some("out of memory"), "error: rustc-LLVM ERROR: out of memory");
        check_error(None, "note: compiler flags: --cfg \"LLVM ERROR: out of memory\"\n");
    }

    #[test]
    fn an_abort_says_where_and_why() {
        check_abort(
            Some("Value.cpp:507"),
            "Assertion `New->getType() == getType() && \"of other type!\"' failed.",
            "rustc: /checkout/llvm/lib/IR/Value.cpp:507: void llvm::Value::doRAUW(Value *): Assertion `New->getType() == getType() && \"of other type!\"' failed.\nPLEASE submit a bug report\n",
        );
        check_abort(
            Some("Legalize.cpp:12"),
            "unknown operand",
            "unknown operand\nUNREACHABLE executed at /checkout/llvm/lib/Legalize.cpp:12!\n",
        );
        check_abort(None, "memory allocation of _ bytes failed", "\nmemory allocation of 17 bytes failed\nmore\n");
        check_abort(None, "", "");
    }
}
