//! What of Python the documents' runs depend on: the functions that fail in them, and the order of a set.

use mcve_dd::difference::Difference;

/// Fails when a `(` stands before a `)`.
///
/// # Panics
/// When it fails.
pub(crate) fn mystery(input: &str) {
    if let (Some(open), Some(close)) = (input.find('('), input.find(')')) {
        assert!(open > close, "Invalid input");
    }
}

/// Strips markup, not quite.
///
/// # Panics
/// When angle brackets are left, as in the chapter, whose assertion has no message either.
pub(crate) fn remove_html_markup(input: &str) -> String {
    let (mut tag, mut quote) = (false, false);
    let mut out = String::new();
    for c in input.chars() {
        match c {
            '<' if !quote => tag = true,
            '>' if !quote => tag = false,
            '"' => quote = !quote,
            '\'' if tag => quote = !quote,
            _ if !tag => out.push(c),
            _ => {}
        }
    }
    assert!(!out.contains(['<', '>']), "AssertionError");
    out
}

/// Python's `eval`, of what can be left of `1 + 2 * 3 / 0`.
///
/// # Panics
/// As Python raises: when the text is no expression, or divides by zero.
pub(crate) fn eval(input: &str) -> f64 {
    let mut tokens: Vec<String> = Vec::new();
    let mut glued = false;
    for c in input.chars() {
        match tokens.last_mut() {
            Some(number) if glued && c.is_ascii_digit() => number.push(c),
            _ if c == ' ' => {}
            _ => tokens.push(c.to_string()),
        }
        glued = c.is_ascii_digit();
    }
    // Nothing is computed before all is read.
    let mut terms: Vec<Vec<(char, f64)>> = Vec::new();
    let mut tokens = tokens.iter().peekable();
    loop {
        let mut term: Vec<(char, f64)> = Vec::new();
        let mut operator = '*';
        loop {
            let _sign = tokens.next_if(|token| *token == "+");
            term.push((operator, tokens.next().and_then(|it| it.parse().ok()).expect("invalid syntax")));
            let Some(next) = tokens.next_if(|token| ["*", "/"].contains(&token.as_str())) else { break };
            operator = if next == "*" { '*' } else { '/' };
        }
        terms.push(term);
        match tokens.next() {
            None => break,
            Some(plus) => assert_eq!(plus, "+", "invalid syntax"),
        }
    }
    let product = |term: &Vec<(char, f64)>| {
        term.iter().fold(1.0, |product, &(operator, number)| {
            assert!(operator == '*' || number != 0.0, "division by zero");
            if operator == '*' { product * number } else { product / number }
        })
    };
    terms.iter().map(product).sum()
}

/// The order in which CPython 3 iterates over `failing - passing` as sets of small numbers, which decides what the chapter's
/// dd cuts together: by the hash, which is the number itself, modulo the size of a table that grows with what is put in.
///
/// After `set_difference`, `set_merge`, `set_add_entry` and `set_table_resize` of `Objects/setobject.c`.
pub(crate) fn set_order(difference: &Difference) -> Vec<usize> {
    let grown = |atleast: usize| (3..).map(|bits| 1 << bits).find(|&size| size > atleast).expect("some power is");
    let (failing, passing) = (difference.failing.kept(), difference.passing.kept());
    let elements = difference.elements();
    let mut table = vec![None; 8];
    if failing.len() / 4 > passing.len() {
        // Much is left over: it copies the one set and discards what is in the other, too little to resize the table.
        if failing.len() * 5 >= 7 * 3 {
            table = vec![None; grown(2 * failing.len())];
        }
        failing.iter().for_each(|&element| insert(&mut table, element));
        for entry in &mut table {
            *entry = entry.filter(|element| elements.binary_search(element).is_ok());
        }
    } else {
        // It puts what is in the one set and not in the other into a new set.
        for (before, &element) in elements.iter().enumerate() {
            insert(&mut table, element);
            let used = before + 1;
            if used * 5 >= (table.len() - 1) * 3 {
                let old = std::mem::replace(&mut table, vec![None; grown(4 * used)]);
                old.into_iter().flatten().for_each(|element| insert(&mut table, element));
            }
        }
    }
    table.into_iter().flatten().collect()
}

/// Puts an element into the first free place of its probe sequence.
fn insert(table: &mut [Option<usize>], element: usize) {
    const LINEAR_PROBES: usize = 9;
    let mask = table.len() - 1;
    let (mut perturb, mut place) = (element, element & mask);
    loop {
        let probes = if place + LINEAR_PROBES <= mask { LINEAR_PROBES } else { 0 };
        if let Some(free) = (place..=place + probes).find(|&place| table[place].is_none()) {
            table[free] = Some(element);
            return;
        }
        perturb >>= 5;
        place = (place * 5 + 1 + perturb) & mask;
    }
}
