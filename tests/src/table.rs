//! Plain tables for the measuring commands.

/// Columns aligned, the first to the left and the others to the right.
pub fn render(header: &[&str], rows: &[Vec<String>]) -> String {
    let columns = header.len();
    let mut widths: Vec<usize> = header.iter().map(|h| h.chars().count()).collect();
    for row in rows {
        for (at, cell) in row.iter().enumerate().take(columns) {
            widths[at] = widths[at].max(cell.chars().count());
        }
    }
    let line = |cells: Vec<&str>| {
        let mut out = String::new();
        for (at, cell) in cells.into_iter().enumerate() {
            let padding = " ".repeat(widths[at] - cell.chars().count());
            match at {
                0 => out.push_str(&format!("{cell}{padding}")),
                _ => out.push_str(&format!("  {padding}{cell}")),
            }
        }
        out.trim_end().to_string() + "\n"
    };
    let mut out = line(header.to_vec());
    for row in rows {
        out.push_str(&line(row.iter().map(String::as_str).collect()));
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_are_aligned() {
        let rows = vec![vec!["a".into(), "10".into()], vec!["long".into(), "2".into()]];
        assert_eq!(super::render(&["name", "n"], &rows), "name   n\na     10\nlong   2\n");
    }
}
