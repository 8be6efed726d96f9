"""Laws that may be: functions, libraries of terms, and regressions that pick from them."""
