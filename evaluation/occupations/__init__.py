"""Which occupation a model gives to whom, held against labour statistics (Ko et al. 2024)."""
