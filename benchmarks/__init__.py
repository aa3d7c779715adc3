"""Figures as ratios: each command beside the simplest program that does the same I/O."""
