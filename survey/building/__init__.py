"""From the bank to a survey: its questions, its words, its forms and its plan."""
