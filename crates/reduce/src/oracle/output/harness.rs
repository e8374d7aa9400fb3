//! Reads what the test harness of Rust prints.

/// The names of the tests that started, in order.
pub(crate) fn started_tests(stdout: &str) -> impl DoubleEndedIterator<Item = &str> {
    let lines = stdout.lines().filter_map(|line| line.strip_prefix("test "));
    lines.filter_map(|line| line.split_once(" ... ")).map(|(name, _)| name.split(' ').next().unwrap_or(name))
}

/// The names of the tests that failed, from the last list of the harness.
pub fn failed_tests(stdout: &[u8]) -> Vec<String> {
    let stdout = String::from_utf8_lossy(stdout);
    let Some((_, list)) = stdout.rsplit_once("\nfailures:\n") else { return Vec::new() };
    list.lines().map_while(|line| line.strip_prefix("    ")).map(str::to_owned).collect()
}
