//! Values of integers as Eva prints them: `{1; 2}`, `[0..100]`, `[0..100],0%2`, `[--..7]`.

/// All values that were printed for one variable, joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Range {
    /// Nothing was printed yet.
    Nothing,
    Between {
        low: Option<i128>,
        high: Option<i128>,
        step: Option<(i128, i128)>,
    },
    /// Few values, in ascending order.
    OneOf(Vec<i128>),
    /// Something that is not always an integer.
    Anything,
}

/// Longer lists of values become intervals.
const MOST_VALUES: usize = 4;

impl Range {
    pub fn read(text: &str) -> Range {
        let text = text.trim();
        if let Some(list) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            let values: Option<Vec<i128>> = list.split(';').map(|value| value.trim().parse().ok()).collect();
            return values.map_or(Range::Anything, |mut values| {
                values.sort_unstable();
                values.dedup();
                Range::OneOf(values)
            });
        }
        Self::read_interval(text).unwrap_or(Range::Anything)
    }

    fn read_interval(text: &str) -> Option<Range> {
        let (interval, rest) = text.strip_prefix('[')?.split_once(']')?;
        let (low, high) = interval.split_once("..")?;
        let bound = |text: &str| match text.trim() {
            "--" => Some(None),
            number => number.parse::<i128>().ok().map(Some),
        };
        let step = match rest.trim() {
            "" => None,
            rest => {
                let (remainder, modulus) = rest.strip_prefix(',')?.split_once('%')?;
                Some((remainder.trim().parse().ok()?, modulus.trim().parse().ok().filter(|modulus| *modulus > 1)?))
            }
        };
        Some(Range::Between { low: bound(low)?, high: bound(high)?, step })
    }

    fn bounds(&self) -> Option<(Option<i128>, Option<i128>)> {
        match self {
            Range::Between { low, high, .. } => Some((*low, *high)),
            Range::OneOf(values) => Some((values.first().copied(), values.last().copied())),
            Range::Nothing | Range::Anything => None,
        }
    }

    pub fn join(self, other: Range) -> Range {
        match (self, other) {
            (Range::Nothing, other) | (other, Range::Nothing) => other,
            (Range::Anything, _) | (_, Range::Anything) => Range::Anything,
            (Range::OneOf(mut values), Range::OneOf(more)) => {
                values.extend(more);
                values.sort_unstable();
                values.dedup();
                Range::OneOf(values).shortened()
            }
            (one, other) => {
                let steps = one.step().zip(other.step()).filter(|(a, b)| a == b).map(|(step, _)| step);
                let step = steps.or_else(|| one.keeps(&other)).or_else(|| other.keeps(&one));
                match (one.bounds(), other.bounds()) {
                    (Some((low, high)), Some((other_low, other_high))) => Range::Between {
                        low: low.zip(other_low).map(|(a, b)| a.min(b)),
                        high: high.zip(other_high).map(|(a, b)| a.max(b)),
                        step,
                    },
                    _ => Range::Anything,
                }
            }
        }
    }

    fn step(&self) -> Option<(i128, i128)> {
        match self {
            Range::Between { step, .. } => *step,
            _ => None,
        }
    }

    /// The step of this one, if all of the other's few values keep it.
    fn keeps(&self, other: &Range) -> Option<(i128, i128)> {
        let (remainder, modulus) = self.step()?;
        let Range::OneOf(values) = other else { return None };
        values
            .iter()
            .all(|value| value.checked_sub(remainder).is_some_and(|rest| rest % modulus == 0))
            .then_some((remainder, modulus))
    }

    /// A list that has grown long becomes an interval.
    fn shortened(self) -> Range {
        match self {
            Range::OneOf(values) if values.len() > 64 => {
                Range::Between { low: values.first().copied(), high: values.last().copied(), step: None }
            }
            other => other,
        }
    }

    /// As a C expression over a variable; `None` where the range restricts nothing.
    pub fn to_c(&self, name: &str) -> Option<String> {
        match self {
            Range::Nothing | Range::Anything => None,
            Range::OneOf(values) if values.is_empty() => None,
            Range::OneOf(values) if values.len() <= MOST_VALUES => {
                let texts: Option<Vec<String>> =
                    values.iter().map(|v| literal(*v).map(|v| format!("{name} == {v}"))).collect();
                Some(texts?.join(" || "))
            }
            Range::OneOf(values) => {
                let (low, high) = (values.first().copied(), values.last().copied());
                Range::Between { low, high, step: None }.to_c(name)
            }
            Range::Between { low, high, step } => {
                let low = low.and_then(literal).map(|low| format!("{low} <= {name}"));
                let high = high.and_then(literal).map(|high| format!("{name} <= {high}"));
                // The remainder of a negative number differs in C.
                let even = step.filter(|_| matches!(self.bounds(), Some((Some(low), _)) if low >= 0));
                let step = even.map(|(remainder, modulus)| format!("{name} % {modulus} == {remainder}"));
                let parts: Vec<String> = [low, high, step].into_iter().flatten().collect();
                (!parts.is_empty()).then(|| parts.join(" && "))
            }
        }
    }
}

/// A number that every compiler reads as an int or a long long.
fn literal(value: i128) -> Option<String> {
    let value = i64::try_from(value).ok().filter(|value| *value != i64::MIN)?;
    let suffix = if i32::try_from(value).is_ok_and(|value| value != i32::MIN) { "" } else { "LL" };
    Some(format!("{value}{suffix}"))
}
