"""Laws as motions: fitted to the samples, shortened, and made better along their own path."""
