#ifndef GP_PARENT_H
#define GP_PARENT_H

/* Lets the system end this process, in whichever call it hangs, once the thread that started it has
 * ended. Best effort, on Linux alone: a parent that has ended before is not noticed. */
void gp_end_with_parent(void);

#endif
