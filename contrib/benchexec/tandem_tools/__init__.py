"""BenchExec finds tool-info modules in packages only."""
