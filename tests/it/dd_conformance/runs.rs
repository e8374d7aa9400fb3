//! The tests that the documents print, in their order: *The Debugging Book* and *The Fuzzing Book*, each in the chapter
//! *Reducing Failure-Inducing Inputs*, and the post *Delta Debugging* (Gopinath, 2019).

use mcve_dd::outcome::Outcome;
use mcve_dd::outcome::Outcome::{Fail, Pass, Unresolved};

/// *The Debugging Book*: `ddmin`, its own 17 tests (its text says 25 steps).
pub(crate) const ITERATIVE_DDMIN: &[(&str, Outcome)] = &[
    (r#"V"/+!aF-(V4EOz*+s/Q,7)2@0_"#, Fail),
    ("z*+s/Q,7)2@0_", Pass),
    (r#"V"/+!aF-(V4EO"#, Pass),
    ("F-(V4EOz*+s/Q,7)2@0_", Fail),
    ("Oz*+s/Q,7)2@0_", Pass),
    ("F-(V4EQ,7)2@0_", Fail),
    (",7)2@0_", Pass),
    ("F-(V4EQ", Pass),
    ("V4EQ,7)2@0_", Pass),
    ("F-(Q,7)2@0_", Fail),
    ("Q,7)2@0_", Pass),
    ("F-()2@0_", Fail),
    ("2@0_", Pass),
    ("F-()", Fail),
    ("()", Fail),
    (")", Pass),
    ("(", Pass),
];

/// *The Debugging Book*: general delta debugging that minimises.
pub(crate) const MINIMISE: &[(&str, Outcome)] = &[
    (r#"V"/+!aF-(V4EOz*+s/Q,7)2@0_"#, Fail),
    ("", Pass),
    (r#"V"/+!aF-(V4EO"#, Pass),
    ("z*+s/Q,7)2@0_", Pass),
    ("-(V4EOz*+s/Q,7)2@0_", Fail),
    ("*+s/Q,7)2@0_", Pass),
    ("-(V4EOz7)2@0_", Fail),
    ("7)2@0_", Pass),
    ("-(V4EOz", Pass),
    ("-(V47)2@0_", Fail),
    ("-(V4@0_", Pass),
    ("-(V47)2", Fail),
    ("-7)2", Pass),
    ("(V4", Pass),
    ("-47)2", Pass),
    ("-(V7)2", Fail),
    ("-(V2", Pass),
    ("(V7)", Fail),
    ("7)", Pass),
    ("(V", Pass),
    ("(7)", Fail),
    ("()", Fail),
    (")", Pass),
    ("(", Pass),
];

/// *The Debugging Book*: general delta debugging that maximises.
pub(crate) const MAXIMISE: &[(&str, Outcome)] = &[
    (r#"V"/+!aF-(V4EOz*+s/Q,7)2@0_"#, Fail),
    ("", Pass),
    ("z*+s/Q,7)2@0_", Pass),
    ("-(V4EOz*+s/Q,7)2@0_", Fail),
    (r#"V"/+!aFz*+s/Q,7)2@0_"#, Pass),
    (r#"V"/+!aF4EOz*+s/Q,7)2@0_"#, Pass),
    (r#"V"/+!aF-4EOz*+s/Q,7)2@0_"#, Pass),
    (r#"V"/+!aF-V4EOz*+s/Q,7)2@0_"#, Pass),
];

/// *The Debugging Book*: general delta debugging that isolates.
pub(crate) const ISOLATE: &[(&str, Outcome)] = &[
    (r#"V"/+!aF-(V4EOz*+s/Q,7)2@0_"#, Fail),
    ("", Pass),
    (r#"V"/+!aF-(V4EO"#, Pass),
    ("z*+s/Q,7)2@0_", Pass),
    (r#"V"/+!aFz*+s/Q,7)2@0_"#, Pass),
    ("-(V4EOz*+s/Q,7)2@0_", Fail),
    ("-(Vz*+s/Q,7)2@0_", Fail),
    ("(Vz*+s/Q,7)2@0_", Fail),
    ("(z*+s/Q,7)2@0_", Fail),
];

/// *The Debugging Book*: `remove_html_markup`.
pub(crate) const REMOVE_HTML_MARKUP: &[(&str, Outcome)] = &[
    (r#""x > y""#, Fail),
    ("", Pass),
    (r#""x >"#, Fail),
    (r#""x"#, Pass),
    (" >", Pass),
    ("x >", Pass),
    (r#"" >"#, Fail),
    (r#"">"#, Fail),
    (">", Pass),
    (r#"""#, Pass),
];

/// *The Fuzzing Book*: 97 characters.
pub(crate) const EVEN_DDMIN: &[(&str, Outcome)] = &[
    (r#" 7:,>((/$$-/->.;.=;(.%!:50#7*8=$&&=$9!%6(4=&69':'<3+0-3.24#7=!&60)2/+";+<7+1<2!4$>92+$1<(3%&5''>#"#, Fail),
    (r#"'<3+0-3.24#7=!&60)2/+";+<7+1<2!4$>92+$1<(3%&5''>#"#, Pass),
    (" 7:,>((/$$-/->.;.=;(.%!:50#7*8=$&&=$9!%6(4=&69':", Pass),
    (r#"50#7*8=$&&=$9!%6(4=&69':'<3+0-3.24#7=!&60)2/+";+<7+1<2!4$>92+$1<(3%&5''>#"#, Fail),
    ("50#7*8=$&&=$9!%6(4=&69':<7+1<2!4$>92+$1<(3%&5''>#", Pass),
    (r#"50#7*8=$&&=$9!%6(4=&69':'<3+0-3.24#7=!&60)2/+";+"#, Fail),
    (r#"'<3+0-3.24#7=!&60)2/+";+"#, Pass),
    ("50#7*8=$&&=$9!%6(4=&69':", Pass),
    (r#"9!%6(4=&69':'<3+0-3.24#7=!&60)2/+";+"#, Fail),
    (r#"9!%6(4=&69':=!&60)2/+";+"#, Fail),
    (r#"=!&60)2/+";+"#, Pass),
    ("9!%6(4=&69':", Pass),
    (r#"=&69':=!&60)2/+";+"#, Pass),
    (r#"9!%6(4=!&60)2/+";+"#, Fail),
    (r#"9!%6(42/+";+"#, Pass),
    ("9!%6(4=!&60)", Fail),
    ("=!&60)", Pass),
    ("9!%6(4", Pass),
    ("6(4=!&60)", Fail),
    ("6(460)", Fail),
    ("60)", Pass),
    ("6(4", Pass),
    ("(460)", Fail),
    ("460)", Pass),
    ("(0)", Fail),
    ("0)", Pass),
    ("(", Pass),
    ("()", Fail),
    (")", Pass),
];

/// *The Fuzzing Book*: an expression with parentheses.
pub(crate) const EXPRESSION: &[(&str, Outcome)] = &[
    ("1 + (2 * 3)", Fail),
    ("2 * 3)", Pass),
    ("1 + (", Pass),
    ("+ (2 * 3)", Fail),
    ("+ ( 3)", Fail),
    (" 3)", Pass),
    ("+ (", Pass),
    (" ( 3)", Fail),
    ("( 3)", Fail),
    ("3)", Pass),
    ("( ", Pass),
    ("(3)", Fail),
    ("()", Fail),
    (")", Pass),
    ("(", Pass),
];

/// *The Fuzzing Book*: the same where only expressions can be resolved.
pub(crate) const VALID_EXPRESSION: &[(&str, Outcome)] = &[
    ("1 + (2 * 3)", Fail),
    ("2 * 3)", Unresolved),
    ("1 + (", Unresolved),
    ("+ (2 * 3)", Unresolved),
    ("1 2 * 3)", Unresolved),
    ("1 + ( 3)", Unresolved),
    ("1 + (2 *", Unresolved),
    (" + (2 * 3)", Unresolved),
    ("1+ (2 * 3)", Unresolved),
    ("1 (2 * 3)", Unresolved),
    ("1 + 2 * 3)", Unresolved),
    ("1 + ( * 3)", Unresolved),
    ("1 + (2 3)", Unresolved),
    ("1 + (2 *3)", Unresolved),
    ("1 + (2 * ", Unresolved),
    ("1  (2 * 3)", Unresolved),
    ("1 +(2 * 3)", Unresolved),
    ("1 + (2* 3)", Unresolved),
    ("1 + (2  3)", Unresolved),
    ("1 + (2 * )", Unresolved),
    ("1 + (2 * 3", Unresolved),
];

/// The post: fragments. The whole input, 40 characters, is not printed.
pub(crate) const FRAGMENTS: &[(&str, Outcome)] = &[
    (r#"ty" MULTIPLE SIZE=7>"#, Pass),
    (r#"<SELECT NAME="priori"#, Pass),
    (r#"ME="priority" MULTIPLE SIZE=7>"#, Pass),
    (r#"<SELECT NAty" MULTIPLE SIZE=7>"#, Fail),
    ("<SELECT NALE SIZE=7>", Fail),
    ("<SELECT NA", Pass),
    ("CT NALE SIZE=7>", Pass),
    ("<SELELE SIZE=7>", Pass),
    ("<SELECT NAZE=7>", Fail),
    ("<SELECT NA", Pass),
    ("ELECT NAZE=7>", Pass),
    ("<SECT NAZE=7>", Pass),
    ("<SELT NAZE=7>", Pass),
    ("<SELECNAZE=7>", Pass),
    ("<SELECT ZE=7>", Fail),
    ("<SELECT =7>", Fail),
    ("<SELECT >", Fail),
    ("<SELECT ", Pass),
    ("SELECT >", Pass),
    ("<ELECT >", Pass),
    ("<SLECT >", Pass),
    ("<SEECT >", Pass),
    ("<SELCT >", Pass),
    ("<SELET >", Pass),
    ("<SELEC >", Pass),
    ("<SELECT>", Fail),
    ("<SELECT", Pass),
];
