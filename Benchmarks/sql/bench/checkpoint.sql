-- Lets every measurement start with the same amount of work in front of the next checkpoint.
CHECKPOINT;
