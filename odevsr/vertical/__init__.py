"""The method: control-variable rounds that build each equation one variable at a time."""
