"""SINDy, given its best: data, libraries, thresholds and the choice among its laws."""
