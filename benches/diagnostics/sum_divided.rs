// The sum is divided by a number, so why does `sum()` still need a type?
//@ error: type annotations needed
//@ error: type parameter `S` declared on the method `sum`
//@ code: \.sum\(\)\s*\)?\s*/\s*(?!\(\)|todo|panic|unreachable|loop)
use std::collections::HashMap;
use std::str::FromStr;

#[derive(Debug)]
struct Sample { plant: String, height: f64 }

impl FromStr for Sample {
    type Err = std::num::ParseFloatError;
    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let (plant, height) = line.split_once(' ').unwrap_or((line, "0"));
        let height = height.trim().parse()?;
        Ok(Sample { plant: plant.to_string(), height })
    }
}

fn read(text: &str) -> Vec<Sample> {
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

fn by_plant(samples: &[Sample]) -> HashMap<&str, Vec<f64>> {
    let mut groups: HashMap<_, Vec<_>> = HashMap::new();
    for sample in samples { groups.entry(sample.plant.as_str()).or_default().push(sample.height); }
    groups
}

fn main() {
    let samples = read("fern 2.5\nmoss 0.3\nfern 3.1");
    for (plant, heights) in by_plant(&samples) {
        let mean = heights.iter().sum() / heights.len() as f64;
        let tallest = heights.iter().copied().fold(0.0, f64::max);
        println!("{plant}: {mean} {tallest}");
    }
}
