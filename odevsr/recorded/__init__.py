"""The law from recordings: candidates, their choice by fitted motion, and what stays undecided."""
