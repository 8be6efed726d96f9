"""What laws are worth: do they follow what was held out, what could they hide, what rivals them."""
