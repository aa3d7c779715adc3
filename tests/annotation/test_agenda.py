"""The agenda of the consensus meeting, to be read out."""
