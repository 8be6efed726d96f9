"""Laws from recordings: how many are right."""
