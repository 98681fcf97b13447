-- Makes every measurement start at the same distance from the next checkpoint.
CHECKPOINT;
