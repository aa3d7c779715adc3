"""The survey of the public: counts, thresholds and decisions."""
