// Runs uri-test-suite: rustc run.rs && ./run FILE.tsv ...
// Change judge to ask your parser. Rust's library has none: this one looks at the scheme alone.
use std::{env, fs};

fn judge(text: &str) -> bool {
    match text.split_once(':') {
        Some((scheme, _)) => {
            scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        }
        None => false,
    }
}

fn text_of(hex: &str) -> String {
    let octets = (0..hex.len()).step_by(2);
    let octets = octets.map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex"));
    String::from_utf8(octets.collect()).expect("UTF-8")
}

fn main() {
    for name in env::args().skip(1) {
        let data = fs::read_to_string(&name).expect("a file of the suite");
        let mut wrong = 0;
        for line in data.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let text = text_of(fields[2]);
            if judge(&text) != (fields[1] == "1") {
                wrong += 1;
                println!("{}\t{:?}", fields[0], text);
            }
        }
        println!("{}: {} of {} differ", name, wrong, data.lines().count());
    }
}
