//! The functions of the documents that fail.

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
