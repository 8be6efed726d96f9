"""Laws from recordings judged, SINDy's beside them."""
