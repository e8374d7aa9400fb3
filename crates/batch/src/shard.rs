//! Shards: which part of the groups one job of an array does.

use std::fmt;
use std::str::FromStr;

/// The variables by which engines number the jobs of an array, the first number, and the variable with their count, if there is one.
const NUMBERED_BY: [(&str, Numbers, &str); 5] = [
    ("SLURM_ARRAY_TASK_ID", Numbers::FromMin("SLURM_ARRAY_TASK_MIN"), "SLURM_ARRAY_TASK_COUNT"),
    ("CI_NODE_INDEX", Numbers::From(1), "CI_NODE_TOTAL"),
    ("JOB_COMPLETION_INDEX", Numbers::From(0), "MCVE_SHARDS"),
    ("AWS_BATCH_JOB_ARRAY_INDEX", Numbers::From(0), "AWS_BATCH_JOB_ARRAY_SIZE"),
    ("PARALLEL_SEQ", Numbers::From(1), "MCVE_SHARDS"),
];

/// The first number of an array.
#[derive(Clone, Copy)]
enum Numbers {
    From(usize),
    /// It is in this variable.
    FromMin(&'static str),
}

/// One of several parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 1 on.
    pub number: usize,
    /// How many there are.
    pub count: usize,
}

impl Shard {
    /// The shard that the variables of an engine name, of `count` if the user says how many there are: a Slurm array, a parallel job of
    /// GitLab, an indexed job of Kubernetes, an array of AWS Batch, GNU parallel.
    ///
    /// # Errors
    /// When no engine numbers this process, or the numbers make no sense.
    pub fn of_environment(count: Option<usize>, variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let number = |name: &str| -> Result<Option<usize>, String> {
            let Some(value) = variable(name) else { return Ok(None) };
            value.parse().map(Some).map_err(|_| format!("the variable {name} is not a number: {value}"))
        };
        for (name, numbers, counted) in NUMBERED_BY {
            let Some(own) = number(name)? else { continue };
            let first = match (numbers, count) {
                (Numbers::From(first), _) => first,
                // The missing jobs of an array of N are an array with gaps.
                (Numbers::FromMin(_), Some(_)) => 1,
                (Numbers::FromMin(least), None) => number(least)?.unwrap_or(0),
            };
            let Some(count) = count.map_or_else(|| number(counted), |count| Ok(Some(count)))? else {
                return Err(format!(
                    "{name} is {own}, and nothing says how many jobs there are: --shard auto/N, or {counted}=N"
                ));
            };
            let shard = own.checked_sub(first).map(|index| Self { number: index + 1, count });
            return shard
                .filter(|shard| shard.number <= count)
                .ok_or_else(|| format!("{name} is {own}, and there are {count} jobs, from {first} on"));
        }
        let names: Vec<&str> = NUMBERED_BY.iter().map(|(name, ..)| *name).collect();
        Err(format!("nothing numbers this job: none of {} is set; use --shard K/N", names.join(", ")))
    }

    /// Whether it does the group at this index.
    pub fn has(self, index: usize) -> bool {
        index % self.count == self.number - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    /// `K/N`, or `auto` and `auto/N` for what the environment says.
    fn from_str(text: &str) -> Result<Self, String> {
        let (own, count) = text.split_once('/').map_or((text, None), |(own, count)| (own, Some(count)));
        let count = count.map(|count| {
            count.parse::<usize>().ok().filter(|count| *count > 0).ok_or("N in K/N is a number from 1 on")
        });
        let count = count.transpose()?;
        if own == "auto" {
            return Self::of_environment(count, |name| std::env::var(name).ok());
        }
        let number = own.parse().ok().filter(|number| *number > 0);
        match (number, count) {
            (Some(number), Some(count)) if number <= count => Ok(Self { number, count }),
            _ => Err("give K/N with K from 1 to N, or `auto`".to_owned()),
        }
    }
}

/// Numbers as an array expression of Slurm: `2,4-6`.
pub fn array(numbers: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let range = |(first, last)| if first == last { format!("{first}") } else { format!("{first}-{last}") };
    ranges.into_iter().map(range).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_count_from_0_or_1() {
        let shard = |variables: &[(&str, &str)], count| {
            let variable =
                |name: &str| variables.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned());
            Shard::of_environment(count, variable).map(|shard| shard.to_string())
        };
        let slurm =
            |id, min| [("SLURM_ARRAY_TASK_ID", id), ("SLURM_ARRAY_TASK_MIN", min), ("SLURM_ARRAY_TASK_COUNT", "4")];
        for (variables, expected) in [
            (&slurm("0", "0")[..], "1/4"),
            (&slurm("4", "1"), "4/4"),
            (&[("CI_NODE_INDEX", "1"), ("CI_NODE_TOTAL", "3")], "1/3"),
            (&[("JOB_COMPLETION_INDEX", "0"), ("MCVE_SHARDS", "5")], "1/5"),
            (&[("AWS_BATCH_JOB_ARRAY_INDEX", "1"), ("AWS_BATCH_JOB_ARRAY_SIZE", "2")], "2/2"),
        ] {
            assert_eq!(shard(variables, None).as_deref(), Ok(expected));
        }
        assert_eq!(shard(&[("PARALLEL_SEQ", "3")], Some(4)).as_deref(), Ok("3/4"));
        assert!(shard(&[("PARALLEL_SEQ", "3")], None).is_err());
        assert!(shard(&[("PARALLEL_SEQ", "5")], Some(4)).is_err());
        assert!(shard(&slurm("5", "1"), None).is_err());
        // The missing ones of an array of six.
        assert_eq!(shard(&slurm("5", "2"), Some(6)).as_deref(), Ok("5/6"));
        assert!(shard(&[], Some(4)).is_err());
        assert!("0/4".parse::<Shard>().is_err() && "5/4".parse::<Shard>().is_err() && "1".parse::<Shard>().is_err());
        assert_eq!(
            "2/4".parse::<Shard>().map(|shard| (0..8).filter(|index| shard.has(*index)).collect()),
            Ok(vec![1, 5])
        );
    }

    #[test]
    fn missing_numbers_become_ranges() {
        assert_eq!(array(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
        assert_eq!(array(&[]), "");
    }
}
